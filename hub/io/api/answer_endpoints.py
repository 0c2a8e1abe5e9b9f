"""The endpoints by which a card is answered, one for each verb."""

from hub.contract.api import AnswerReply, AnswerRequest, RespondRequest
from hub.contract.words import AFTER_FAILURE, PLAIN_NO, Verb
from hub.io.api import answers
from hub.io.api.endpoint import API, Endpoint, never
from hub.io.server.concurrency_limits import Load


def _answer(name: str, verb: Verb, *, empty: bool = True, load: Load = "plain") -> Endpoint:
    return Endpoint(
        path=f"{API}/predictions/{{id}}/{name}",
        handler=answers.answering(verb),
        answers=(AnswerReply,),
        methods=("POST",),
        scope="answer",
        body=AnswerRequest,
        body_may_be_empty=empty,
        load=load,
        open_to_all=answers.is_without_words if verb in PLAIN_NO else never,
    )


ANSWER_ENDPOINTS: tuple[Endpoint, ...] = (
    _answer("confirm", Verb.APPROVE),
    _answer("reject", Verb.REJECT, load="stop"),
    _answer("snooze", Verb.SNOOZE),
    _answer("edit", Verb.EDIT, empty=False),
    _answer("undo", Verb.UNDO),
    _answer("stop", Verb.STOP, load="stop"),
    *(_answer(verb.value, verb) for verb in AFTER_FAILURE),
    _answer("less", Verb.LESS),
    _answer("never", Verb.NEVER),
    Endpoint(
        path=f"{API}/predictions/{{id}}/respond",
        handler=answers.respond,
        answers=(AnswerReply,),
        methods=("POST",),
        scope="answer",
        body=RespondRequest,
    ),
)
