//! The console API: each operation calls the action of the same meaning.

use super::actions::{
    Actor, audit, clock, credentials, customers, deliveries, events, faults, har, inspector, keys,
    projects, receiver, report, scenarios, signatures, state, statistics, subscriptions, tasks,
    view, watch,
};
use super::api::operations::*;
use super::api::server::*;
use crate::app::Shared;
use bothends_runtime::server::{Context, Error};
use bothends_runtime::{Event, Response, Streamed};
use futures_util::StreamExt;

/// The implementation of the console API.
#[derive(Debug, Clone)]
pub(super) struct Handlers(pub(super) Shared);

/// Implements the methods of a trait. The block's value is the body of the response, and `?` in it
/// converts a [`Failure`].
macro_rules! handlers {
    ($api:ident { $(
        $name:ident($app:ident, $request:ident: $Request:ty) -> $Response:ty, $Error:ty = $body:expr;
    )* }) => {
        impl $api for Handlers {
            $(async fn $name(
                &self,
                _: Context,
                $request: $Request,
            ) -> Result<$Response, Error<$Error>> {
                let $app = &self.0;
                Ok(Response::new($body))
            })*
        }
    };
}

const BY: Actor = Actor::Token;

handlers! { ProjectsApi {
    list_projects(app, _request: ListProjectsRequest) -> ListProjectsResponse, ListProjectsError = {
        let found = projects::all(app).await?;
        super::actions::views(found.iter().map(|project| &project.value))?
    };
    create_project(app, request: CreateProjectRequest) -> CreateProjectResponse, CreateProjectError =
        projects::create(app, BY, &request.body).await?;
    get_project(app, request: GetProjectRequest) -> GetProjectResponse, GetProjectError =
        view(&super::actions::project(app, &request.project).await?.value)?;
    update_project(app, request: UpdateProjectRequest) -> UpdateProjectResponse, UpdateProjectError =
        projects::update(app, BY, &request.project, &request.body).await?;
    delete_project(app, request: DeleteProjectRequest) -> DeleteProjectResponse, DeleteProjectError =
        projects::delete(app, BY, &request.project).await?;
    reset_project(app, request: ResetProjectRequest) -> ResetProjectResponse, ResetProjectError =
        state::reset(app, BY, &request.project).await?;
    get_snapshot(app, request: GetSnapshotRequest) -> GetSnapshotResponse, GetSnapshotError =
        state::snapshot(app, &request.project).await?;
    restore_snapshot(app, request: RestoreSnapshotRequest) -> RestoreSnapshotResponse, RestoreSnapshotError =
        state::restore(app, BY, &request.project, &request.body).await?;
}}

handlers! { CredentialsApi {
    list_credentials(app, request: ListCredentialsRequest) -> ListCredentialsResponse, ListCredentialsError =
        credentials::list(app, &request.project).await?;
    create_credential(app, request: CreateCredentialRequest) -> CreateCredentialResponse, CreateCredentialError =
        credentials::create(app, BY, &request.project, &request.body).await?;
    rotate_credential(app, request: RotateCredentialRequest) -> RotateCredentialResponse, RotateCredentialError =
        credentials::rotate(app, BY, &request.project, &request.client_id).await?;
    revoke_credential(app, request: RevokeCredentialRequest) -> RevokeCredentialResponse, RevokeCredentialError =
        credentials::revoke(app, BY, &request.project, &request.client_id).await?;
}}

handlers! { CustomersApi {
    list_customers(app, request: ListCustomersRequest) -> ListCustomersResponse, ListCustomersError =
        customers::list(app, &request).await?;
    create_customer(app, request: CreateCustomerRequest) -> CreateCustomerResponse, CreateCustomerError =
        customers::create(app, BY, &request.project, &request.body).await?;
    get_customer(app, request: GetCustomerRequest) -> GetCustomerResponse, GetCustomerError =
        view(&customers::get(app, &request.project, &request.customer).await?.value)?;
    delete_customer(app, request: DeleteCustomerRequest) -> DeleteCustomerResponse, DeleteCustomerError =
        tasks::delete_customer(app, BY, &request.project, &request.customer).await?;
    list_consents(app, request: ListConsentsRequest) -> ListConsentsResponse, ListConsentsError =
        customers::consents(app, &request).await?;
    create_consent(app, request: CreateConsentRequest) -> CreateConsentResponse, CreateConsentError =
        customers::consent(app, BY, &request.project, &request.body).await?;
    revoke_consent(app, request: RevokeConsentRequest) -> RevokeConsentResponse, RevokeConsentError =
        customers::revoke(app, BY, &request.project, &request.consent).await?;
    expire_consent(app, request: ExpireConsentRequest) -> ExpireConsentResponse, ExpireConsentError =
        customers::expire(app, BY, &request.project, &request.consent).await?;
}}

handlers! { TasksApi {
    list_tasks(app, request: ListTasksRequest) -> ListTasksResponse, ListTasksError =
        tasks::list(app, &request).await?;
    get_task(app, request: GetTaskRequest) -> GetTaskResponse, GetTaskError =
        tasks::get(app, &request.project, &request.task).await?;
    finish_task(app, request: FinishTaskRequest) -> FinishTaskResponse, FinishTaskError =
        tasks::finish(app, BY, &request.project, &request.task, &request.body.outcome).await?;
    start_connect(app, request: StartConnectRequest) -> StartConnectResponse, StartConnectError =
        tasks::connect(app, BY, &request.project, &request.body).await?;
    start_ingestion(app, request: StartIngestionRequest) -> StartIngestionResponse, StartIngestionError =
        tasks::ingest(app, BY, &request.project, &request.body).await?;
    list_payments(app, request: ListPaymentsRequest) -> ListPaymentsResponse, ListPaymentsError =
        tasks::payments(app, &request).await?;
    start_payment(app, request: StartPaymentRequest) -> StartPaymentResponse, StartPaymentError =
        tasks::pay(app, BY, &request.project, &request.body).await?;
    get_payment(app, request: GetPaymentRequest) -> GetPaymentResponse, GetPaymentError =
        tasks::payment(app, &request.project, &request.payment).await?;
    finish_payment(app, request: FinishPaymentRequest) -> FinishPaymentResponse, FinishPaymentError =
        tasks::finish_payment(app, BY, &request.project, &request.payment, &request.body.outcome).await?;
}}

handlers! { SubscriptionsApi {
    list_subscriptions(app, request: ListSubscriptionsRequest) -> ListSubscriptionsResponse, ListSubscriptionsError =
        subscriptions::list(app, &request.project).await?;
    create_subscription(app, request: CreateSubscriptionRequest) -> CreateSubscriptionResponse, CreateSubscriptionError =
        subscriptions::create(app, BY, &request.project, &request.body).await?;
    get_subscription(app, request: GetSubscriptionRequest) -> GetSubscriptionResponse, GetSubscriptionError =
        subscriptions::get(app, &request.project, &request.subscription).await?;
    replace_subscription(app, request: ReplaceSubscriptionRequest) -> ReplaceSubscriptionResponse, ReplaceSubscriptionError =
        subscriptions::replace(app, BY, &request.project, &request.subscription, &request.body).await?;
    remove_subscription(app, request: RemoveSubscriptionRequest) -> RemoveSubscriptionResponse, RemoveSubscriptionError =
        subscriptions::remove(app, BY, &request.project, &request.subscription).await?;
    activate_subscription(app, request: ActivateSubscriptionRequest) -> ActivateSubscriptionResponse, ActivateSubscriptionError =
        subscriptions::set_active(app, BY, &request.project, &request.subscription, true).await?;
    deactivate_subscription(app, request: DeactivateSubscriptionRequest) -> DeactivateSubscriptionResponse, DeactivateSubscriptionError =
        subscriptions::set_active(app, BY, &request.project, &request.subscription, false).await?;
}}

handlers! { DeliveriesApi {
    list_deliveries(app, request: ListDeliveriesRequest) -> ListDeliveriesResponse, ListDeliveriesError =
        deliveries::list(app, &request).await?;
    get_delivery(app, request: GetDeliveryRequest) -> GetDeliveryResponse, GetDeliveryError =
        deliveries::get(app, &request.project, request.delivery).await?;
    replay_delivery(app, request: ReplayDeliveryRequest) -> ReplayDeliveryResponse, ReplayDeliveryError =
        deliveries::replay(app, BY, &request.project, request.delivery).await?;
    replay_failures(app, request: ReplayFailuresRequest) -> ReplayFailuresResponse, ReplayFailuresError =
        deliveries::replay_failures(app, BY, &request.project, request.body.since).await?;
}}

handlers! { EventsApi {
    list_event_kinds(app, request: ListEventKindsRequest) -> ListEventKindsResponse, ListEventKindsError =
        events::kinds(app, &request.project).await?;
    list_events(app, request: ListEventsRequest) -> ListEventsResponse, ListEventsError =
        events::list(app, &request).await?;
    trigger_event(app, request: TriggerEventRequest) -> TriggerEventResponse, TriggerEventError =
        events::trigger(app, BY, &request.project, &request.body).await?;
}}

handlers! { InspectorApi {
    get_statistics(app, request: GetStatisticsRequest) -> GetStatisticsResponse, GetStatisticsError = {
        let parts = request.buckets_or_default();
        statistics::count(app, &request.project, request.since, request.until, parts).await?
    };
    list_calls(app, request: ListCallsRequest) -> ListCallsResponse, ListCallsError =
        inspector::calls(app, &request).await?;
    list_unattributed_calls(app, request: ListUnattributedCallsRequest) -> ListUnattributedCallsResponse, ListUnattributedCallsError =
        inspector::unattributed(app, &request).await?;
    get_call(app, request: GetCallRequest) -> GetCallResponse, GetCallError =
        inspector::call(app, &request.project, &request.call).await?;
    export_calls(app, request: ExportCallsRequest) -> ExportCallsResponse, ExportCallsError =
        har::export(app, &request).await?;
    list_sent_webhooks(app, request: ListSentWebhooksRequest) -> ListSentWebhooksResponse, ListSentWebhooksError =
        inspector::sent(app, &request).await?;
    watch_activity(app, request: WatchActivityRequest) -> WatchActivityResponse, WatchActivityError = {
        let cursor = request.last_event_id.or(request.after);
        let entries = watch::watch(app, &request.project, cursor).await?;
        Streamed::new(entries.map(|entry| {
            let mut event = Event::new(entry.view()?);
            event.id = Some(entry.id().to_owned());
            Ok::<_, super::failure::Failure>(event)
        }))
        .with_keep_alive(watch::heartbeats())
    };
}}

handlers! { ReceiverApi {
    list_received(app, request: ListReceivedRequest) -> ListReceivedResponse, ListReceivedError =
        receiver::list(app, &request).await?;
    watch_received(app, request: WatchReceivedRequest) -> WatchReceivedResponse, WatchReceivedError = {
        let cursor = request.last_event_id.or(request.after);
        let receiver = request.receiver.as_deref();
        Streamed::new(receiver::watch(app, &request.project, receiver, cursor).await?)
            .with_keep_alive(watch::heartbeats())
    };
    respond_received(app, request: RespondReceivedRequest) -> RespondReceivedResponse, RespondReceivedError =
        receiver::respond(app, &request.project, &request.received, request.body.status).await?;
}}

handlers! { FaultsApi {
    list_faults(app, request: ListFaultsRequest) -> ListFaultsResponse, ListFaultsError =
        faults::list(app, &request.project).await?;
    add_fault(app, request: AddFaultRequest) -> AddFaultResponse, AddFaultError =
        faults::add(app, BY, &request.project, &request.body).await?;
    remove_fault(app, request: RemoveFaultRequest) -> RemoveFaultResponse, RemoveFaultError =
        faults::remove(app, BY, &request.project, &request.fault).await?;
}}

handlers! { ClockApi {
    get_clock(app, request: GetClockRequest) -> GetClockResponse, GetClockError =
        clock::get(app, &request.project).await?;
    freeze_clock(app, request: FreezeClockRequest) -> FreezeClockResponse, FreezeClockError =
        clock::freeze(app, BY, &request.project).await?;
    resume_clock(app, request: ResumeClockRequest) -> ResumeClockResponse, ResumeClockError =
        clock::resume(app, BY, &request.project).await?;
    advance_clock(app, request: AdvanceClockRequest) -> AdvanceClockResponse, AdvanceClockError = {
        let wait = request.wait_or_default() == AdvanceClockWait::Settled;
        let distance = request.body.milliseconds;
        clock::advance(app, BY, &request.project, distance, wait).await?
    };
}}

handlers! { ScenariosApi {
    load_scenario(app, request: LoadScenarioRequest) -> LoadScenarioResponse, LoadScenarioError =
        scenarios::load(app, BY, &request.body, request.replace_or_default()).await?;
}}

handlers! { SignaturesApi {
    check_signature(app, request: CheckSignatureRequest) -> CheckSignatureResponse, CheckSignatureError =
        signatures::check(app, &request.body).await?;
    list_keys(app, _request: ListKeysRequest) -> ListKeysResponse, ListKeysError =
        keys::list(app).await?;
    rotate_keys(app, request: RotateKeysRequest) -> RotateKeysResponse, RotateKeysError =
        keys::rotate(app, BY, &request.body).await?;
}}

handlers! { ReportApi {
    get_report(app, request: GetReportRequest) -> GetReportResponse, GetReportError =
        report::report(app, &request.project).await?;
    probe(app, request: ProbeRequest) -> ProbeResponse, ProbeError =
        report::probe(app, BY, &request.project).await?;
}}

handlers! { AuditApi {
    list_audit(app, request: ListAuditRequest) -> ListAuditResponse, ListAuditError =
        audit::list(app, &request).await?;
}}
