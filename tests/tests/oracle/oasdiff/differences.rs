//! Where bothends and oasdiff differ.

/// Pairs of files on which bothends and oasdiff differ, and the reason.
pub(super) const DIFFERENCES: &[(&[&str], &str)] = &[
    (
        &[
            "not_base not_revision",
            "contains_min_max_base contains_min_max_revision",
            "contains_min_max_revision contains_min_max_base",
            "contains_property_min_max_base contains_property_min_max_revision",
            "contains_property_min_max_revision contains_property_min_max_base",
            "sub_schema_added_property_base sub_schema_added_property_revision",
        ],
        "`not`, `contains` and other keywords are compared as texts: attention",
    ),
    (
        &[
            "api_security_added_base api_security_added_revision",
            "api_security_global_added_base api_security_global_added_revision",
            "api_security_updated_revision api_security_updated_base",
        ],
        "requests of existing clients lack the credentials or the scope",
    ),
    (
        &[
            "contains_added_base contains_added_revision",
            "dependent_required_base dependent_required_revision",
            "prefix_items_added_revision prefix_items_added_base",
        ],
        "the schema is that of the request, too, for which tests that are not read expect an error",
    ),
    (
        &["request_body_default_value_changed_base request_body_default_value_changed_revision"],
        "the new document has one media type less, which the test does not check",
    ),
    (
        &["deprecation/base deprecation/deprecated-future-beta-stability"],
        "the new document has a lower stability level, which the test does not check",
    ),
    (
        &[
            "request_parameter_became_enum_base request_parameter_became_enum_revision",
            "request_parameter_extensible_enum_base request_parameter_extensible_enum_revision",
            "request_parameter_min_increased_base request_parameter_min_increased_revision",
        ],
        "the parameter is `in: path`, and the path does not contain it: nothing sends it",
    ),
    (
        &[
            "request_parameter_default_value_changed_base_renamed request_parameter_default_value_changed_revision_renamed",
        ],
        "a path parameter is always sent, so its default has no effect",
    ),
    (
        &[
            "request_property_all_of_added_base request_property_all_of_added_revision",
            "request_property_all_of_inline_added_base request_property_all_of_inline_added_revision",
        ],
        "the added part of the `allOf` has only optional properties",
    ),
    (
        &[
            "request_property_discriminator_added_base request_property_discriminator_added_revision",
            "request_property_discriminator_added_revision request_property_discriminator_added_base",
            "request_property_discriminator_added_revision request_property_discriminator_added_property_name_changed",
            "request_property_discriminator_added_revision request_property_discriminator_mapping_changed",
            "response_property_discriminator_added_base response_property_discriminator_added_revision",
            "response_property_discriminator_added_revision response_property_discriminator_added_base",
            "response_property_discriminator_added_revision response_property_discriminator_added_property_name_changed",
            "response_property_discriminator_added_revision response_property_discriminator_mapping_changed",
        ],
        "generated code selects the variant by the discriminator",
    ),
    (
        &["request_property_extensible_enum_base request_property_extensible_enum_revision"],
        "`x-extensible-enum`: servers keep values that the document does not list",
    ),
    (
        &["response_property_any_of_added_base response_property_any_of_added_revision"],
        "existing clients reject a value that matches only the new alternative, as for a `oneOf`",
    ),
    (
        &[
            "response_property_default_value_changed_base response_property_default_value_changed_revision",
        ],
        "an absent value has another meaning",
    ),
    (
        &[
            "deprecation/base-invalid-stability deprecation/base",
            "deprecation/base deprecation/base-invalid-stability-2",
            "deprecation/base deprecation/base-invalid-stability",
            "deprecation/deprecated-future deprecation/deprecated-invalid",
            "deprecation/deprecated-invalid deprecation/deprecated-future",
            "deprecation/property_base_stable deprecation/property_deprecated_invalid_sunset",
            "param-deprecation/deprecated-future param-deprecation/deprecated-invalid",
            "param-deprecation/deprecated-invalid param-deprecation/deprecated-future",
        ],
        "an invalid value of an extension is no difference between messages: it counts as absent",
    ),
    (
        &[
            "deprecation/deprecated-with-sunset deprecation/deprecated-no-sunset",
            "param-deprecation/deprecated-with-sunset-path param-deprecation/deprecated-no-sunset-path-renamed",
            "param-deprecation/deprecated-with-sunset param-deprecation/deprecated-no-sunset",
        ],
        "the item stays; a day is required by `deprecation-days`, which these tests do not set",
    ),
    (
        &[
            "deprecation/deprecated-no-sunset deprecation/sunset",
            "deprecation/deprecated-path-no-sunset deprecation/sunset-path",
        ],
        "a deprecation without `x-sunset` announces no day after which clients have to expect the removal",
    ),
    (
        &["required-properties/anyOf1 required-properties/anyOf2"],
        "the schema is `type: array`, of which `required` says nothing",
    ),
    (
        &[
            "required-properties/request-new-required-prop-base required-properties/request-new-required-prop-revision",
        ],
        "a required property without a schema is required, too",
    ),
    (
        &[
            "required-properties/write-only-changed-base required-properties/write-only-changed-revision",
        ],
        "the response no longer has a property that existing clients require",
    ),
    (
        &[
            "add_new_media_type_base add_new_media_type_revision",
            "response-media-type-revision response-media-type-base",
        ],
        "existing servers do not see which of the media types a client reads",
    ),
    (
        &["servers/baseswagger.json servers/revisionswagger.json"],
        "existing clients use a server that the document no longer lists",
    ),
];
