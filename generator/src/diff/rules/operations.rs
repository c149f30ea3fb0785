//! Operations and webhooks: `D01`.

use super::{Direction::Any, Raw, Rule, breaking, rule, safe};

const SAME: super::Effect = safe("Messages stay the same.");
const SAME_CODE: super::Effect = safe("The Rust code stays the same.");
const NOTICE: super::Effect = safe("The item works as before.");

/// The rules.
#[rustfmt::skip]
pub(super) const TABLE: &[Rule] = &[
    rule(Raw::OperationAdded, "D0101", Any, "operation added", [
        safe("Existing clients do not call the operation."),
        breaking("Existing servers respond 404 to the operation."),
        safe("A client method is added."),
        breaking("The server trait has a new required method."),
    ]),
    rule(Raw::OperationRemoved, "D0102", Any, "operation removed", [
        breaking("New servers respond 404 to the operation."),
        safe("New clients do not call the operation."),
        breaking("The client method no longer exists."),
        breaking("The server trait no longer has the method."),
    ]),
    rule(Raw::OperationRemovedAfterSunset, "D0103", Any, "operation removed after its announced date", [
        safe("The document announced the removal, and the date has passed."),
        safe("New clients do not call the operation."),
        breaking("The client method no longer exists."),
        breaking("The server trait no longer has the method."),
    ]),
    rule(Raw::OperationAddedWithDefault, "D0104", Any, "operation added, with a default handler", [
        safe("Existing clients do not call the operation."),
        breaking("Existing servers respond 404 to the operation."),
        safe("A client method is added."),
        safe("The new method of the server trait has a default, which responds 501."),
    ]),
    rule(Raw::OperationRenamed, "D0105", Any, "operation renamed", [
        SAME, SAME,
        breaking("The client method and the types of the operation have new names."),
        breaking("The method of the server trait and the types of the operation have new names."),
    ]),
    rule(Raw::OperationMoved, "D0106", Any, "method or path changed", [
        breaking("New servers respond 404 or 405 to the old method and path."),
        breaking("Existing servers respond 404 or 405 to the new method and path."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::OperationDeprecated, "D0107", Any, "operation deprecated", [
        NOTICE, NOTICE,
        safe("The compiler warns about the client method."),
        safe("The compiler accepts the implementation of the trait as before."),
    ]),
    rule(Raw::OperationUndeprecated, "D0108", Any, "operation no longer deprecated", [NOTICE, NOTICE, SAME_CODE, SAME_CODE]),
    rule(Raw::SunsetSet, "D0109", Any, "removal announced", [NOTICE, NOTICE, SAME_CODE, SAME_CODE]),
    rule(Raw::SunsetUnset, "D0110", Any, "announced removal withdrawn", [NOTICE, NOTICE, SAME_CODE, SAME_CODE]),
    rule(Raw::SunsetEarlier, "D0111", Any, "announced removal moved to an earlier date", [
        breaking("Existing clients rely on the announced date."),
        NOTICE, SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::SunsetLater, "D0112", Any, "announced removal moved to a later date", [NOTICE, NOTICE, SAME_CODE, SAME_CODE]),
    rule(Raw::TagChanged, "D0113", Any, "operation moved to another tag", [
        SAME, SAME,
        breaking("The types of the operation are in the module of another tag."),
        breaking("Another server trait contains the method."),
    ]),
    rule(Raw::StabilityLowered, "D0114", Any, "stability level lowered", [
        breaking("Existing clients rely on the level that the document promised."),
        NOTICE, SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::StabilityRaised, "D0115", Any, "stability level raised", [NOTICE, NOTICE, SAME_CODE, SAME_CODE]),
    rule(Raw::OperationIdChanged, "D0116", Any, "`operationId` changed, with the same names in Rust", [
        SAME, SAME,
        safe("The id of the operation, which observers see, has another text."),
        safe("The id of the operation, which observers see, has another text."),
    ]),
    rule(Raw::SunsetMissing, "D0117", Any, "deprecated without a day of removal", [
        breaking("The configuration requires a day (`deprecation-days`), which is how long clients can rely on the item."),
        NOTICE, SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::SunsetTooEarly, "D0118", Any, "announced removal is too early", [
        breaking("The configuration requires more days until the removal (`deprecation-days`)."),
        NOTICE, SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::WebhookAdded, "D0121", Any, "webhook added", [
        safe("Existing senders do not send the webhook."),
        breaking("Existing receivers do not know the webhook."),
        safe("A variant is added to `WebhookKind`, which is `#[non_exhaustive]`.").guarded(),
        safe("The new method of the handler trait has a default, which responds that it is not handled."),
    ]),
    rule(Raw::WebhookRemoved, "D0122", Any, "webhook removed", [
        breaking("New receivers do not know the webhook."),
        safe("New senders do not send the webhook."),
        breaking("The kind and the types of the webhook no longer exist."),
        breaking("The handler trait no longer has the method."),
    ]),
    rule(Raw::WebhookMethodChanged, "D0123", Any, "method of a webhook changed", [
        breaking("New receivers respond 405 to the old method."),
        breaking("Existing receivers respond 405 to the new method."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::CallbackUrlChanged, "D0124", Any, "URL of a callback changed", [
        breaking("Existing senders send the callback to the old URL."),
        breaking("Existing receivers expect the callback at the old URL."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::TaskChanged, "D0125", Any, "task of an operation changed", [
        breaking("Existing clients poll or await the task in the old way."),
        safe("Existing servers receive the same requests."),
        breaking("The description of the task has another type, other final statuses or other webhooks."),
        SAME_CODE,
    ]),
    rule(Raw::TaskValuesChanged, "D0126", Any, "location of the values of a task changed", [
        breaking("Existing clients read the id or the status of the task at the old location."),
        safe("Existing servers receive the same requests."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::PagesAdded, "D0127", Any, "pages of a list described", [
        SAME, SAME,
        breaking("The method returns a `PagedCall`, which is awaited as the future before."),
        SAME_CODE,
    ]),
    rule(Raw::PagesRemoved, "D0128", Any, "pages of a list no longer described", [
        breaking("Existing clients request the next page in a way that the document no longer describes."),
        SAME,
        breaking("The methods `pages`, `items` and `after` no longer exist."),
        SAME_CODE,
    ]),
    rule(Raw::PagesChanged, "D0129", Any, "pages of a list changed", [
        breaking("Existing clients request the next page in the old way."),
        safe("New clients send parameters that existing servers know."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::PageItemsChanged, "D0130", Any, "items of a page are another list", [
        SAME, SAME,
        breaking("The method `items` returns those of another list."),
        SAME_CODE,
    ]),
    rule(Raw::RetriesChanged, "D0131", Any, "documented retries of an operation changed", [
        safe("Existing clients retry in the old way, until they are generated again."),
        safe("Existing servers receive the same requests."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::LinkAdded, "D0132", Any, "link of a response added", [
        SAME, SAME,
        safe("A constant is added."),
        SAME_CODE,
    ]),
    rule(Raw::LinkRemoved, "D0133", Any, "link of a response removed", [
        breaking("Existing clients follow the link, which the document no longer describes."),
        SAME,
        breaking("The constant of the link no longer exists."),
        SAME_CODE,
    ]),
    rule(Raw::LinkTargetChanged, "D0134", Any, "link of a response leads elsewhere", [
        breaking("Existing clients call the operation that the link led to."),
        safe("Existing servers receive calls that they know."),
        breaking("The constant of the link has another type."),
        SAME_CODE,
    ]),
    rule(Raw::LinkValuesChanged, "D0135", Any, "values of a link changed", [
        breaking("Existing clients take the values from the old locations."),
        safe("Existing servers receive calls that they know."),
        SAME_CODE, SAME_CODE,
    ]),
];
