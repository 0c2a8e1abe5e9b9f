"""Orders in German: a verb, what it is aimed at, and no word of talk at the front.

German puts the verb first ("Lösche alle Daten") or last ("bitte alle Daten löschen"), so both orders are read per
clause as a bag of words rather than by position.
"""

import re
from collections.abc import Iterator

from hub.may.content.hit import Finding

_TALK = re.compile(
    r"^\W*(?:bitte\s+|kannst\s+du\s+|mal\s+)*(?:erklare?|erlauter\w*|beschreib\w*|dokumentier\w*|pruf\w*|uberpruf\w*|teste?|schreibe?\s+(?:einen?\s+)?(?:tests?|doku\w*|"
    r"anleitung|entwurf|funktion|beschreibung)|fasse?|zusammenfass\w*|liste?|zeige?|entw(?:irf|urf)\w*|untersuch\w*|recherchier\w*|analysier\w*|warum|"
    r"wieso|weshalb|wie|was|welche\w*|wann|wer|verbesser\w*|refaktorier\w*|korrigier\w*|ubersetz\w*|vergleich\w*|bewert\w*|"
    r"suche?|finde?|erganz\w*|implementier\w*|behebe?|diskutier\w*|skizzier\w*|ist|sind|lies|lese?|ubersicht|erstell\w*\s+"
    r"(?:einen?\s+)?(?:entwurf|ubersicht|bericht|zusammenfassung|tests?|funktion|liste)|fuge?|benenn\w*|messe?|ordne|sortier\w*|bereite?)\b"
)
_NEGATED = re.compile(r"\b(?:nicht|nie|niemals|kein\w*|ohne\s.{0,40}\bzu\b|statt|anstatt)\b")
_SPLIT = re.compile(r"[.!?;\n]+|,(?!\s*dass\b)\s*|\s+(?:und|dann|danach|anschliessend|aber)\s+(?=(?:dann\s+)?\w+)")
_DATA = (
    r"(?:\w*datenbank\w*|\w*tabelle\w*|\w*daten\b|\w*datensatz\w*|\w*datensatze\w*|\w*kunden\w*|\w*benutzer\w*|\w*nutzer\w*|\w*konto\b|\w*konten\b|"
    r"\w*sicherung\w*|backups?|festplatte\w*|partition\w*|laufwerk\w*|\w*server\w*|produktion\w*|alles|alle\s+\w+|gesamte\w*\s+\w+|ganze\w*\s+\w+|"
    r"\w*verzeichnis\w*|\w*ordner\b|repo\w*|branch\w*|historie|verlauf|commits?|\w*cluster|bucket\w*|system\w*|platte|stick|sd-karte|papierkorb|postfach|\w*container|logs?\b|protokolle|anderungen|warteschlange|snapshots?|umgebung\w*|instanz\w*|queue|namespace|volume\w*|dateien|bilder|fotos|schlussel|zugange?)"
)
_GUARDED = r"(?:firewall|virenscanner|backups?|sicherung\w*|verschlusselung|authentifizierung|uberwachung|protokollierung|antivirus|2fa|schutz\w*|sicherheits\w*)"  # noqa: E501  a pattern is read unbroken
_MONEY = (
    r"(?:geld|betrag|rechnung\w*|miete|euro|eur|\d+\s?(?:€|eur|euro|dollar|franken|chf|bitcoins?|btc)|€|gehalt\w*|gehalter|lohne?|gebuhr\w*|beitrag|steuer\w*|"
    r"dollar|franken|lieferant\w*|bitcoin\w*|\w*guthaben|\w*karte|konto|kaution|anzahlung|iban|sparkonto)"
)
_GOODS = (
    r"(?:\d+\s+\w+|neue\w*\s+\w+|einen?\s+\w+|eine\s+\w+|ein\s+\w+|das\s+\w+|die\s+\w+|den\s+\w+|aktien?\w*|bitcoin\w*|lizenz\w*|flug\w*|hotel\w*|ticket\w*|"
    r"abo\w*|pizza|druckerpapier|domain\w*|zwei\s+\w+|drei\s+\w+|\w*nachschub)"
)
_MESSAGE = (
    r"(?:\w*mails?\b|e-mails?|\w*nachricht\w*|newsletter|brief\w*|einladung\w*|tweet\w*|sms|angebot\w*|antwort\w*|rundschreiben|"
    r"pressemitteilung\w*|erinnerung\w*|alle\b|an\s+(?:alle|den|die|das|unser\w*|meine\w*|frau|herrn?|kund\w*)|\w*anfragen?|\w*tickets?|zuschrift\w*|kommentare?|dass|lieferant\w*|anwalt\w*|presse|vermieter\w*|steuerberater\w*|partner\w*|dem\s+\w+|der\s+(?:chefin|kundin|redaktion|presse)|(?:team|kunden?|chef\w*)\b)"
)
_CODE = re.compile(
    r"\b(?:import\w*|funktion\w*|methode\w*|klasse\w*|variable\w*|kommentar\w*|tests?|testf\w+|unittests?|testabdeckung|parameter\w*|abhangigkeit\w*|leerzeichen|zeilen?|ergebnisse?|"
    r"warnung\w*|\w*modul\w*|endpunkt\w*|\w*parser\w*|zwischenspeicher|cache|unbenutzte\w*|ungenutzte\w*|\w+\.(?:py|ts|js|md|go|rs)|tippfehler|debug\w*)\b"
)
_RULES: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (rule, re.compile(rf"\b(?:{verb})\b"), re.compile(rf"(?:{target})"))
    for rule, verb, target in (
        (
            "destructive.data",
            r"(?:ge)?lo?e?sche?n?t?|loeschen?|geloescht|entfern\w*|vernicht\w*|zerstor\w*|wegwerfen|ausradier\w*|uberschreib\w*|leere?n?|verwerf\w*|verwirf|plattmach\w*|platt|schredder\w*|eliminier\w*|vernichten|wirf|bereinig\w*|losch|(?:auf)?raume?\b.{0,60}\b(?:leer|weg|auf)|mache?\b.{0,60}\b(?:leer|platt)|ausleeren|wegraumen|reisse?\b.{0,60}\bab|fahre?\b.{0,40}\bzuruck",
            rf"\b{_DATA}",
        ),
        (
            "destructive.disk",
            r"formatier\w*",
            r"\b(?:\w*festplatte\w*|laufwerk\w*|partition\w*|\w*stick\w*|platte\w*|karte|[a-z]:|rechner|server\w*)",
        ),
        (
            "destructive.defence",
            r"deaktivier\w*|abschalt\w*|schalte?\b.{0,60}\b(?:ab|aus)|ausschalt\w*|umgeh\w*|stopp\w*",
            rf"\b{_GUARDED}\b",
        ),
        (
            "destructive.system",
            r"fahre?\b.{0,60}\bherunter|herunterfahren|abschiess\w*|beende\w*|schalte?\b.{0,60}\b(?:ab|aus)",
            r"\b(?:\w*server\w*|alle\s+\w+|rechner|system\w*|produktion\w*)",
        ),
        ("destructive.history", r"force-?push\w*|erzwing\w*|pushe?n?\b.{0,40}(?:force|gewalt)", r""),
        (
            "destructive.lose-work",
            r"setze?\b.{0,60}\bzuruck",
            r"\b(?:hart|repo\w*|datenbank\w*|\w*datenbank|\w*server\w*|produktion\w*)",
        ),
        (
            "financial.pay",
            r"bezahle?n?|zahle?n?|begleiche?n?|uberweise?n?|erstatte?n?|spenden?|abbuche?n?|buche\b.{0,40}\bab|investier\w*|transferier\w*|lade?\b.{0,60}\bauf|aufladen|ruckerstatte?n?|uberweisung|einzahlen|auszahlen",
            rf"(?:\b{_MONEY}|\ban\s+\w+|\b(?:rotes|dem|der|die|den)\s)",
        ),
        (
            "financial.subscribe",
            r"kundige?n?|abschliessen|schliesse?\b.{0,60}\bab|verlanger\w*|erneuer\w*|upgrade\w*|wechsle",
            r"\b(?:\w*abos?\b|abonnement\w*|vertr[a]g\w*|\w*tarif\w*|mitgliedschaft\w*|\w*lizenz\w*|domain\w*|versicherung\w*|hosting\w*)",
        ),
        (
            "financial.buy",
            r"kaufe?n?|bestelle?n?|buche?n?|abonnier\w*|verkaufe?n?|erwirb|erwerben|ersteiger\w*|nachbestell\w*|schliesse?\b.{0,60}\bab|verlanger\w*|miete",
            rf"\b{_GOODS}",
        ),
        ("financial.buy", r"bestelle?n?|nachbestell\w*|kaufe|kaufen|kauf", r""),
        (
            "outward.message",
            r"senden?|schicke?n?|erinnere?n?\b(?!\s+(?:mich|uns)\b)|bedanke?n?|entschuldige?n?|frage?\b|kontaktier\w*|melde?\b|absage?n?|zusage?n?|gratulier\w*|verschick\w*|versende?n?|mailen?|beantworte?n?|antworte?n?|informier\w*|sage?\b.{0,60}\bbescheid|benachrichtig\w*|schreibe?n?|teile\b.{0,80}\bmit|mitteilen|weiterleiten|leite\b.{0,80}\bweiter|lade\b.{0,60}\bein|einladen",
            rf"\b{_MESSAGE}",
        ),
        (
            "outward.message",
            r"(?:ver)?schicke?n?|versende?n?|schreibe?\s+(?!mir\b|uns\b)\w+,?\s+dass",
            r"",
        ),
        ("outward.call", r"rufe?\b.{0,60}\ban|anrufen|telefonier\w*", r""),
        ("outward.post", r"twitter[en]+|tweeten?", r""),
        (
            "outward.post",
            r"posten?|veroffentlich\w*|publizier\w*|kommentier\w*|kundige?\b.{0,60}\ban|stelle?\b.{0,60}\bonline|verbreite?n?",
            r"\b(?:auf|in|im|unter|bei|den|die|das|einen?|eine|dass|alles|unser\w*)\b",
        ),
    )
)
_SIGNS = re.compile(
    r"\b(?:samtliche\w*|twittere?n?|tweeten?|bei|zwei|drei|vier|funf|zehn|nach|wir|ist|dass|mal|uns|noch|ihm|ihr|sofort|jetzt|komplett|gesamte\w*|ganze\w*|dir|jede\w*|sicherung\w*|bitte|und|der|die|das|den|dem|alle|alles|einen?|eine|an|auf|mit|von|nicht|mein\w*|unser\w*|fur|im|ab|zum|zur|neue\w*|alten?\b|alte[rs]\b|offene[nrs]?\b|\d+|abos?|papierkorb|kunden\w*|produktions\w*|festplatte|backups?|bitcoin\w*|pizza|aktien|rechnung|miete|geld|datenbank\w*)\b"
)
_TRIGGER = re.compile(
    r"push|setze?\b|losche?|loesche?|entfern|vernicht|zerstor|uberschreib|leere|verw[ei]rf|plattmach|platt\b|schredder|formatier|deaktivier|schalt|herunter|beende|zahl|begleich|weise|erstatt|"
    r"spende|abbuch|buche|investier|kauf|bestell|abonnier|sende|schick|maile|\bmail\b|antwort|informier|benachrichtig|schreib|teile|leite|poste|veroffentlich|twitter|tweet|publizier|"
    r"kommentier|bescheid|rufe?\b|anruf|telefon|erzwing|forcepush|kundige|stelle|umgeh|stopp|eliminier|wirf|lade\b|einladen|miete|verlanger|schliesse|bereinig|transferier|lade\b|aufladen|erinner|bedank|entschuldig|frage\b|kontaktier|melde?\b|absag|zusag|gratulier|verbreit|erwerben|ersteiger|raume?\b|mache?\b|losch\b|reisse?\b|fahre?\b|erneuer|upgrade|wechsle|kundig|abschliess"
)


def findings(text: str) -> Iterator[Finding]:
    """Yield German orders in ``text`` (already normalised: no umlauts, ss for sharp s)."""
    lowered = text.lower()
    if not _TRIGGER.search(lowered):
        return
    position = 0
    held = False
    for clause in _SPLIT.split(lowered):
        start = max(lowered.find(clause, position), 0)
        position = start + len(clause)
        talks = bool(_TALK.search(clause))
        held = talks or (held and not _leads_with_verb(clause))
        rule = None if held else _judge(clause)
        if rule:
            yield Finding(rule=rule, start=start, end=position)


def _leads_with_verb(clause: str) -> bool:
    first = " ".join(clause.split()[:2])
    return any(verb.match(first.removeprefix("bitte ")) for _rule, verb, _target in _RULES)


def _judge(clause: str) -> str | None:
    """Return the rule that a German clause breaks."""
    if not _SIGNS.search(clause) or _NEGATED.search(clause) or _CODE.search(clause):
        return None
    for rule, verb, target in _RULES:
        if verb.search(clause) and target.search(clause):
            return rule
    return None
