//! Notes: facts about what is generated that need no change of the document.

codes! {
    DYNAMIC_REFERENCE = "N0102", "`$dynamicRef` is read as `$ref`",
        "The target of a `$dynamicRef` depends on the path by which a validator reached it. The generator \
         reads it as a `$ref` to the anchor in the same document.", allowable;
    MEDIA_TYPE_LEFT_OUT = "N0309", "XML content is left out",
        "The generated code does not encode XML. The document offers the same content as JSON, which is \
         used. A peer that accepts XML only cannot be called.", allowable;
    PART_HEADERS = "N0372", "headers of a part are left out",
        "The `encoding` of a multipart body lists headers of a part. Only parts that are files have headers \
         in the generated types.", allowable;
}
