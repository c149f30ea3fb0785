//! Notes: facts about what is generated that need no change of the document.

codes! {
    OVERLAY_SKIPPED = "N0020", "an optional action of an overlay selects nothing",
        "The action has `x-bothends-optional: true`, and the document does not have the nodes that its \
         query selects.", allowable;
    MEDIA_TYPE_LEFT_OUT = "N0309", "XML content is left out",
        "The generated code does not encode XML. The document offers the same content as JSON, which is \
         used. A peer that accepts XML only cannot be called.", allowable;
    PAGES_UNSTATED = "N0323", "a list that probably has pages",
        "The operation has a parameter of a usual name for a cursor, a page or an offset, and its response a list. \
         `bothends lint` reports it. If the document or an overlay has `x-bothends-pages`, a link to the next page, \
         or the header `Link`, the client returns the items of all pages.", allowable;
    PART_HEADERS = "N0372", "headers of a part are left out",
        "The `encoding` of a multipart body lists headers of a part. Only parts that are files have headers \
         in the generated types.", allowable;
    LEFT_OUT = "N0411", "a link or a callback leads out of the filter",
        "An operation refers to another one that `[filter]` leaves out: by a link or `x-bothends-task` to the \
         operation that returns the status of its task, or as a callback. The client does not follow it.", allowable;
}
