"""What dangerous verbs may or may not be aimed at."""

from hub.may.content.wordlist import word_set

CODE = word_set(
    """import imports function functions method methods class classes helper helpers variable variables var
    vars param params parameter parameters argument arguments arg args comment comments docstring
    docstrings whitespace space spaces newline newlines line lines warning warnings lint lints linter
    typo typos todo todos fixme test tests testing spec specs fixture fixtures mock mocks stub stubs
    snapshot snapshots assertion assertions dependency dependencies dep deps package-lock type types
    typing typedef interface interfaces enum enums struct module modules component components endpoint
    endpoints route routes handler handlers controller controllers view-model hook hooks callback
    callbacks middleware parser parsers lexer tokenizer classifier model-class schema-test validation
    validator validators check checks guard guards condition conditions branch-coverage coverage
    statement statements keyword keywords syntax feature-flag flag flags option options setting settings
    config-key key-binding constant constants literal literals string strings prefix suffix label labels
    button buttons icon icons text wording phrase phrases word words message-text section sections
    paragraph paragraphs heading headings bullet bullets sentence sentences chapter page-layout link
    links style styles css margin padding colour color colours colors font fonts animation placeholder
    tooltip modal dialog form forms widget widgets menu ui ux layout template templates snippet snippets
    example examples demo tutorial guide docs documentation doc readme changelog wiki note notes
    article-draft diagram chart charts graph graphs plot support mutant mutants bug bugs issue-template
    duplication duplicate duplicates redundancy boilerplate code codebase workaround hack hacks shim
    polyfill wrapper adapter abstraction indirection complexity logic algorithm loop loops recursion
    call calls callsite usage usages reference references mention mentions definition definitions
    declaration annotation annotations decorator decorators macro macros alias aliases suppression noqa
    ignore-rule rule rules print prints console-log logging logger debug-output debugger breakpoint
    breakpoints trace-statement assert asserts error-message errors exception exceptions retry retries
    timeout timeouts delay sleep sleeps latency overhead flicker exercise lesson learning training
    analysis review audit report dashboard benchmark benchmarks experiment experiments simulation
    module-docs library api apis sdk client-library integration integrations feature features flow flows
    pipeline-step step steps job-definition workflow workflows process-doc procedure policy policies
    strategy strategies plan plans proposal-draft roadmap idea ideas topic topics question questions
    answer-key column-width header headers footer sidebar navbar tab tabs theme cursor caching
    memoization pagination search filter filters sorting ordering semantics behaviour behavior contract
    signature signatures protocol serializer serialization serialisation encoder decoder codec regex
    pattern patterns script-name refactor refactoring rewrite redesign migration-guide implementation
    service-class queue-class consumer producer subscriber publisher gateway-class mechanism
    architecture structure format formats mode modes name names naming id ids url urls path paths
    param-name limit limits constraint-name emoji punctuation semicolon semicolons comma commas bracket
    brackets quote-marks quotes indentation assumption assumptions ambiguity noise outlier outliers nan
    nans stopwords nulls blank blanks characters character digit digits space-characters trailing-space
    tick ticks axis axes legend row-height frame-rate bottleneck bottlenecks book-parser exam theory
    concept concepts metric metrics statistics stats figures trend trends data-type dataset-loader
    subprocess goroutine thread threads fixture-data event events listener listeners signal signals
    observer dead-code code-path stack-trace crash crashes leak leaks deadlock race races flake flakes
    flakiness mortem requirement requirements criterion criteria scenario scenarios story stories
    estimate estimates budget-model cost-model calculation calculations calculator formula formulas
    computation rounding conversion amount-field field fields prompt prompts evaluation eval evals
    corpus tokens-count embedding embeddings prose verb verbs noun nouns preposition dispatcher
    scheduler router validator-class resolver mapper builder factory repository-class facade mixin
    gateway generator iterator emulator simulator sandbox-test tool tooling script scripts cli command
    commands wizard counter counters gauge histogram histograms default defaults clause clauses operator
    operators expression expressions restriction restrictions quirk quirks glitch prerequisites
    transition transitions effect effects cycle cycles lag blur gap gaps shadow shadows background"""
)

STORES = word_set(
    """zone zones balancer balancers load-balancer vpc subnet droplet droplets resource-group cdn whatever device
    devices tablet tablets database databases db dbs table tables schema schemas collection collections
    tablespace keyspace production prod production-data server servers host hosts cluster clusters namespace
    namespaces deployment deployments instance instances vm vms machine machines node nodes environment
    environments data record records row rows customer customers user users client clients account accounts
    member members order-history subscriber-list tenant tenants backup backups snapshot-backups archive archives
    bucket buckets repo repos repository repositories branch branches history commit commits reflog stash
    stashes disk disks drive drives partition partitions volume volumes filesystem filesystems hdd ssd usb stick
    home desktop laptop computer phone mailbox inbox mails emails photos pictures documents downloads contacts
    calendar calendars everything anything all evidence trail infrastructure infra stack stacks resources system
    os root sysadmin system32 registry-hive registry wallet wallets keychain credentials secrets secret
    workspace worktree project projects website site domain dns stuff transactions transaction invoices payroll
    warehouse datalake lake replica replicas shard shards index-store kafka-topic cloud account-data contents
    content storage nas crm ledger ledgers books subscriptions playlist library-of-photos uploads tags releases
    work changes progress bin trash recycle-bin recyclebin lambda lambdas fleet network datacenter datastore
    datastores vault vaults login logins session-history memory-of-users organization organisation org
    workflows-in-production patients patient students student employees employee leads prospects purchases
    bookings messages conversations chats threads-of-mail playlists bookmarks rds s3 gcs dynamodb postgres
    postgresql mysql mongodb mongo redis elasticsearch sqlite firestore kubernetes k8s subscription appdata
    webserver mainframe pod pods deploys timeline branch backup row employee patient student login workload"""
)
"""Things whose loss hurts."""

GENERIC = word_set(
    """file files folder folders directory directories dir dirs log logs image images container containers
    entry entries item items document asset assets object objects key keys artifact artifacts artefact
    artefacts photo video videos column columns index indexes indices view views constraint process
    processes job jobs app apps application package packages service services note-file download cache
    caches tree worktrees subdirectories subfolders pvc mount mounts config configuration secret-file
    certificate certificates pipeline pipelines queue queues topic-queue cookies session sessions tracks
    traces queue-messages partition-table email mail emails access permissions privileges rows-of-data
    migrations migration script-files sources source"""
)
"""Things whose loss hurts when it is all of them."""

NAMED_THINGS = word_set(
    """database db table schema collection namespace cluster server host deployment instance vm machine node
    environment user customer client account tenant backup archive bucket repo repository branch disk drive
    volume project site website domain topic queue pod app package function class method module test component
    index column job workflow pipeline service image container key role variable button label section issue
    epic release tag stack partition share channel organisation organization team folder directory file commit"""
)
"""Things that carry a name behind them: "the bucket acme-logs" is a bucket."""

QUANTIFIERS = word_set(
    """all every everything entire whole each any full complete both remaining existing alle alles jede
    jeden jedes *"""
)
LIVE = word_set("production prod live productive customer's customers' primary master real")
SOFT = word_set(
    """unused dead redundant duplicate duplicated deprecated temporary temp tmp generated compiled cached
    trailing empty commented commented-out obsolete unnecessary stray leftover pyc .pyc __pycache__
    build dist coverage unreachable debug unneeded superfluous hardcoded hard-coded inline legacy flaky
    skipped duplicate-code test mock dummy fake sample node_modules orphaned unreferenced old-style
    broken irrelevant extra excess repeated invalid missing null nan local in-memory example
    staging-test"""
)
"""Adjectives that make a deletion housekeeping."""

PLACES_OF_TEXT = word_set(
    """readme docs documentation doc page html css markdown template templates test tests fixture fixtures
    mock mocks code codebase module component spec specs changelog ui layout report slides notebook
    dataframe example examples comment docstring list summary article guide tutorial menu sidebar
    dropdown header footer form dialog screen modal parser function class method file-list array dict
    dictionary set tuple json yaml toml csv schema-file config enum string sentence paragraph output
    response diagram chart legend presentation agenda section outline draft glossary table-of-contents
    app.py types typings interface stylesheet requirements.txt pyproject.toml package.json wireframe
    mockup backlog board plot figure loop signature query prompt index.html contract regex import
    imports struct graph"""
)
"""Removing something from one of these is editing."""

DEFENCES = word_set(
    """backup backups firewall firewalls antivirus selinux apparmor 2fa mfa authentication auth authorization
    authorisation auditing audit-log audit monitoring alerting alerts tls ssl https certificate verification
    security protection encryption safety safeguards safeguard rails guardrails sandbox killswitch kill-switch
    defender edr ids intrusion waf policy-enforcement logging-of-access access-control permissions rate-limiting
    rate-limits csrf cors password passwords passcode lock locks alarm alarms replication snapshots retention
    recovery failover filter-of-content safety-checks checks-of-security two-factor 2-factor multi-factor
    second-factor totp passkey passkeys captcha quarantine xprotect gatekeeper sip ransomware malware-scanner
    scanner virus-scanner signing sign-off approvals approval human-gate permission-prompts"""
)

SECRETS = word_set(
    """secret secrets password passwords credential credentials token tokens apikey apikeys api-key
    api-keys key keys .env ~/.ssh ssh-key ssh-keys id_rsa ~/.aws/credentials keychain cookies
    private-key private-keys env environment-variables login logins passphrase seed-phrase mnemonic
    ~/.ssh/id_rsa"""
)

PEOPLE = word_set(
    """customer customers client clients user users team teams everyone everybody anyone someone boss manager mom
    mum dad mother father wife husband colleague colleagues coworker coworkers friend friends partner partners
    investor investors supplier suppliers vendor vendors landlord lawyer accountant doctor dentist press
    journalist journalists reporter subscriber subscribers follower followers audience public community list
    mailing-list mailinglist staff employees employee contractor candidate candidates recruiter recruiters lead
    leads prospect prospects him her them us support helpdesk hr ceo cto cfo board members member reviewer
    reviewers maintainer maintainers author authors stakeholders stakeholder bank insurance school police
    competitor competitors guests guest neighbours neighbors family brother sister son daughter parents
    attendees participants tenant tenants patients parent sponsors donors fans group world developers bob alice
    anna marketing sales finance accounting legal recipient recipients contact contacts company secretary me
    buyers sellers shareholders regulators authorities department editor editors plumber restaurant hotel people
    person folks guys mailman freelancer freelancers designer designers engineer engineers founder founders host
    cleaner tutor teacher professor students hire hires newcomer newcomers intern interns applicant applicants
    colleague's assistant director directors principal shareholder buyer seller retailer distributor wholesaler
    agency agent-outside broker-outside notary councillor mayor senator mp minister government ministry embassy
    influencer influencers blogger bloggers speaker speakers sponsor donor volunteer volunteers pupil pupils
    nurse therapist physician vet courier driver mechanic electrician tenant-of-flat flatmate roommate
    girlfriend boyfriend grandma grandpa aunt uncle cousin qa infosec devops sre organiser organisers organizer
    organizers planner photographer caterer dj volunteers viewers backers pledgers on-call oncall management
    leadership operations procurement payer clerk officer juror judge"""
)

OUTSIDE = word_set(
    """slack discord twitter x linkedin facebook instagram tiktok youtube mastodon bluesky threads reddit
    hackernews hn hacker-news medium substack devto dev.to whatsapp telegram signal sms teams email
    e-mail mail gmail outlook newsletter blog website web forum stackoverflow stack-overflow producthunt
    product-hunt npm pypi crates.io rubygems dockerhub app-store appstore play-store marketplace
    internet social socials media press wordpress ghost github gitlab phone voicemail channel channels
    feed timeline list mastodon-instance webhook pastebin gist wikipedia craigslist ebay online publicly
    tweet tweets page yelp imessage mailchimp sendgrid twilio zoom everyone homepage intercom zendesk
    speakerdeck slideshare soundcloud vimeo spotify wetransfer flickr kaggle huggingface hugging-face itch.io
    steam testflight indiehackers lobsters lobste.rs meetup eventbrite upwork fiverr indeed xing tumblr hashnode
    wechat weibo viber threema webex skype patreon kickstarter substack-notes twitter's vk line-app devpost
    intranet bulletin tech-crunch techcrunch newswire jsdelivr hex.pm cocoapods quay.io ghcr.io docker.io
    podcast hub-public maven nuget packagist announcements hacker #general #random snapchat pinterest
    tripadvisor glassdoor trustpilot amazon quora twitch"""
)
"""Places that other people read."""

ARTEFACTS = word_set(
    """email emails e-mail e-mails mail mails message messages tweet tweets dm dms sms text texts post
    posts announcement announcements newsletter newsletters invitation invitations invite invites reply
    replies letter letters press-release reminder reminders feedback apology note notification
    notifications blog blogpost blog-post article fax postcard broadcast campaign update status story
    reel video comment comments quote offer proposal survey thread greeting greetings response memo
    digest pings ping mailing teaser condolences congratulations voicemail complaint statement thanks
    thank-you follow-up followup outreach pitch invoice invoices application release offer-letter
    resignation rsvp mailshot summary report"""
)

TECHNICAL = word_set(
    """parser server api endpoint queue topic broker stdout stderr log logs logger console function handler
    socket worker device database buffer backend frontend process localhost terminal file cache mqtt
    kafka redis pipe stream callback listener store state reducer component view template renderer
    pipeline stage hub bus event events port 127.0.0.1 service method class module thread pool memory
    dict signal-handler actor subscriber-callback test tests validator serializer websocket websockets
    router middleware spec simulator emulator mock fake formatter linter compiler disk folder directory
    docs documentation readme changelog repo branch output log-file stdin subprocess fixture model gpu
    cpu controller observer scheduler dispatcher hook debugger loopback prototype origin remote upstream
    notebook dashboard sandbox main variable bucket"""
)
"""Recipients that are programs."""

MONEY_THINGS = word_set(
    """money funds fund cash payment payments salary salaries wage wages payroll rent bill bills invoice
    invoices fee fees tax taxes deposit deposits balance dollars dollar usd eur euro euros pounds gbp
    chf yen bucks bitcoin bitcoins btc eth ether ethereum crypto usdc usdt sol doge tokens coin coins
    nft nfts savings credit credits loan debt deposit premium budget subscription subscriptions supplier
    vendor contractor refund refunds donation donations tip tips gift giftcard gift-card card amount sum
    money-order wallet account accounts paypal venmo revolut iban stake earnings royalties commission
    bonus bonuses allowance cent cents grand remittance rupees vat payout payouts sats satoshi"""
)

GOODS = word_set(
    """pizza lunch dinner food groceries flight flights ticket tickets hotel hotels room laptop laptops monitor
    monitors keyboard keyboards phone book books license licenses licence licences domain domains server servers
    hosting plan plans subscription subscriptions stock stocks share shares bond bonds etf option-contracts
    crypto bitcoin ether domain-name coffee gift gifts flowers inventory supplies paper parts hardware gpu gpus
    seats seat credits ads ad advertising car train taxi uber cab trip chair chairs desk desks equipment batch
    units more another printer ink toner merchandise merch stickers t-shirts shirts items product products
    samples materials replacement replacements cable cables ssd ssds ram stickers-for snacks beer wine furniture
    course membership insurance tv headphones upgrade storage capacity licence-seats dollars euros gold silver
    futures position positions portfolio nvidia tesla apple puts pi raspberry sushi medication refill filters
    batteries bulbs groceries-delivery beans tea milk water fruit cake toner cartridge cartridges stationery
    envelopes boxes box packaging mugs bicycle bike e-bike printer-paper webcam headset headphone charger
    chargers router-hardware pens pen notebooks-paper whiteboard sandwiches breakfast catering bouquet
    toothpaste shoes shirt jacket dress toys toy console consoles seeds plants plant pills vitamins mattress
    sofa fridge dishwasher car-rental kit kits meal meals camera cameras mouse mice tablet tablets"""
)
