"""`pulse contract`: the documents of the API and of the MQTT topics, and the schema of each message."""

from difflib import get_close_matches
from pathlib import Path

import click
import msgspec

from hub.cli.command import CommandContext, command
from hub.cli.export import CannotWriteError
from hub.contract.errors import UserError


class UnknownDocumentError(UserError):
    """The contract has no document or message with that name. `pulse contract` lists them."""

    code = "unknown-document"


@command()
@click.argument("name", default="")
@click.option(
    "--to", "folder", type=click.Path(file_okay=False, path_type=Path), help="Write all of them to this folder."
)
@click.pass_obj
def contract(context: CommandContext, name: str, folder: Path | None) -> None:
    """List, print or write the API's documents and the schema of each message.

    NAME is openapi, asyncapi, or a message such as Decision. They are generated from this version's types; the
    hub need not run.

    Example: pulse contract Decision
    """
    from hub.io.api.documents import documents, schemas, write  # noqa: PLC0415  only for who asks: it imports the API

    if folder is not None:
        try:
            written = write(folder, with_schemas=True)
        except OSError as error:
            raise CannotWriteError(f"{folder}: {error.strerror}.", fix="Choose another location.") from error
        if not context.printed([str(path) for path in written]):
            context.say(f"✓ {folder}: {len(written)} documents.", "green")
        return
    found = {file.removesuffix(".json"): text for file, text in documents().items()} | schemas()
    if name in found:
        click.echo(found[name], nl=False)
    elif name:
        near = get_close_matches(name, found, n=1, cutoff=0.5)
        raise UnknownDocumentError(
            f"The contract has no {name!r}.",
            fix=f"Did you mean `pulse contract {near[0]}`?" if near else "`pulse contract` lists all names.",
        )
    elif context.as_json:
        context.document(msgspec.json.encode(list(found)))
    else:
        click.echo("\n".join(found))
