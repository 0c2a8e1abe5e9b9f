"""A surface that was just set up begins at once, without a restart of everything; one that was taken back ends."""

from hub.contract.access import SurfaceRenewed
from hub.io.access.tokens import LOCAL_ID
from hub.io.api.call import Call, Nothing
from hub.io.api.outside import ByCommandOnlyError


async def renew(call: Call[Nothing, Nothing]) -> SurfaceRenewed:
    """Have a surface's process run as it is set up now.

    Raises:
        ByCommandOnlyError: it is not the person's own command who asks; what runs beside the hub reaches it.
    """
    if call.client is None or call.client.id != LOCAL_ID:
        fix = "Run its set-up on the machine that Pulse runs on."
        raise ByCommandOnlyError("Surfaces can only be restarted on Pulse's own machine.", fix=fix)
    surface, surfaces = call.path["surface"], call.parts.surfaces
    await surfaces.renew(surface)
    return SurfaceRenewed(surface=surface, runs=f"surface {surface}" in {part.name for part in surfaces.health()})
