"""The endpoints of what presses: bars, history, reports of work, changes and their audit."""

from hub.contract.drives import (
    AuditView,
    DrivesHistory,
    DrivesImportAnswer,
    DrivesImportRequest,
    DrivesView,
    FeedbackAnswer,
    FeedbackRequest,
    MutationsAnswer,
    MutationsRequest,
    WeightRequest,
)
from hub.io.access.confirming import pages
from hub.io.api import drive_files, drive_import, drives, mutations
from hub.io.api.endpoint import API, Endpoint

DRIVE_ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(path=f"{API}/drives", handler=drives.drives, answers=(DrivesView,), of_wakes=True),
    Endpoint(
        path=f"{API}/drives/history",
        handler=drives.history,
        answers=(DrivesHistory,),
        query=drives.HistoryQuery,
        load="heavy",
    ),
    Endpoint(
        path=f"{API}/drives/export",
        handler=drive_files.export,
        answers=(),
        media_types=(drive_files.JSON_MEDIA_TYPE,),
        load="heavy",
    ),
    Endpoint(
        path=f"{API}/drives/import",
        handler=drive_import.take,
        answers=(DrivesImportAnswer,),
        methods=("POST",),
        scope="admin",
        body=DrivesImportRequest,
        confirm=pages,
        load="heavy",
        body_bytes_max=drive_import.BODY_BYTES_MAX,
    ),
    *(
        Endpoint(
            path=path,
            handler=drives.feedback,
            answers=(FeedbackAnswer,),
            methods=("POST",),
            scope="ask",
            body=FeedbackRequest,
            of_wakes=True,
        )
        for path in ("/feedback", f"{API}/drives/feedback")
    ),
    Endpoint(
        path=f"{API}/drives/weights",
        handler=mutations.weigh,
        answers=(MutationsAnswer,),
        methods=("POST",),
        scope="answer",
        body=WeightRequest,
        of_person=True,
    ),
    Endpoint(
        path=f"{API}/drives/weights/{{id}}/undo",
        handler=mutations.weigh_back,
        answers=(MutationsAnswer,),
        methods=("POST",),
        scope="answer",
        of_person=True,
    ),
    Endpoint(
        path=f"{API}/drives/mutations",
        handler=mutations.audit,
        answers=(AuditView,),
        query=mutations.AuditQuery,
        load="heavy",
    ),
    Endpoint(
        path=f"{API}/drives/mutations",
        handler=mutations.hand_in,
        answers=(MutationsAnswer,),
        methods=("POST",),
        scope="ask",
        body=MutationsRequest,
    ),
    Endpoint(
        path=f"{API}/drives/mutations/{{id}}/undo",
        handler=mutations.undo,
        answers=(MutationsAnswer,),
        methods=("POST",),
        scope="ask",
    ),
)
