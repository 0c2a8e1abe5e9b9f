"""The tools as clients list them."""

from typing import Any

from mcp_types import Tool, ToolAnnotations

from hub.io.agents.mcp_server.world import WORLD_TOOLS
from hub.io.agents.questions.arguments import (
    ASK,
    CHECK,
    NOTIFY,
    SUGGEST,
    CheckAnswer,
    HumanQuestion,
    NotifyHuman,
    SuggestIdea,
    schema_of,
)
from hub.io.agents.questions.outcome import OUTCOME_SCHEMA

SUGGESTED_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "repeated": {"type": "boolean", "description": "Whether Pulse had this idea already."},
        "means": {"type": "string", "description": "What to make of it, in a sentence."},
    },
    "required": ["id", "repeated", "means"],
}
INSTRUCTIONS = (
    "These tools reach the user you work for, wherever they are: on their phone, watch, computer or glasses. "
    "Ask before what cannot be undone, what costs money or what others will see, and when you cannot know what they "
    "want. One question at a time, with options where you can. No answer is a no. "
    "Say of each longer task with world_agent where it is, from start to finish, so that nothing is lost when you end."
)
TOOLS = [
    Tool(
        name=ASK,
        title="Ask the user",
        description=(
            "Asks the user a question and waits for the answer. Returns status `answered` with their answer, "
            "`declined`, `expired` (nobody answered in time), or `pending`: then call check_answer later."
        ),
        input_schema=schema_of(HumanQuestion),
        output_schema=OUTCOME_SCHEMA,
        annotations=ToolAnnotations(read_only_hint=True, open_world_hint=True),
    ),
    Tool(
        name=CHECK,
        title="Check for an answer",
        description="Checks whether a question you asked has been answered.",
        input_schema=schema_of(CheckAnswer),
        output_schema=OUTCOME_SCHEMA,
        annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True),
    ),
    Tool(
        name=NOTIFY,
        title="Tell the user",
        description=(
            "Tells the user something and returns at once: for what they should know but need not decide. They may "
            "still reply; check_answer shows that."
        ),
        input_schema=schema_of(NotifyHuman),
        output_schema=OUTCOME_SCHEMA,
        annotations=ToolAnnotations(read_only_hint=True, open_world_hint=True),
    ),
    Tool(
        name=SUGGEST,
        title="Suggest something to do",
        description=(
            "Submits your idea for something the user might want done, and returns at once. Pulse weighs it "
            "beside its own and shows it when it is worth an interruption; nothing happens without the user's yes. "
            "For what you need to know now, use ask_human."
        ),
        input_schema=schema_of(SuggestIdea),
        output_schema=SUGGESTED_SCHEMA,
        annotations=ToolAnnotations(destructive_hint=False, idempotent_hint=True, open_world_hint=False),
    ),
    *WORLD_TOOLS,
]
