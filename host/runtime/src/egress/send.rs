//! Sends a request through the gate, for the whole answer or one that is read as it arrives.

use gtm_domain::Failure;
use gtm_domain::receipt::Receipt;

use super::exchange::{Exchanged, HttpRequest};
use super::gate::EgressGate;
use super::grant::CallGrant;
use super::stream::OpenExchange;
use super::under_way::RequestUnderWay;

impl EgressGate {
    /// Sends a request and waits for the whole answer. Any status is a success. A refusal has a receipt
    /// too, whose `decision` is the failure's code.
    pub async fn send(&self, grant: &CallGrant, request: HttpRequest) -> Exchanged {
        let mut exchange = RequestUnderWay::begin(self, grant, &request);
        let result = exchange.guarded(request, true).await;
        exchange.whole(result).await
    }

    /// Sends a request and reads the body as it arrives. Nothing is retried once the head is there.
    ///
    /// # Errors
    /// Why there is no answer, with the receipt that records it.
    pub async fn open(
        &self,
        grant: &CallGrant,
        request: HttpRequest,
    ) -> Result<OpenExchange, (Failure, Option<Receipt>)> {
        let mut exchange = RequestUnderWay::begin(self, grant, &request);
        let answered = exchange.guarded(request, false).await;
        let answered = match answered {
            Ok(answer) => {
                let unsearched = exchange.head_of(&answer);
                let head = exchange.visible_head(unsearched).await;
                let checked = exchange.check_answer(exchange.trail.found);
                checked.and(head).map(|head| (answer, head))
            }
            Err(failure) => Err(failure),
        };
        exchange.note_type().await;
        match answered {
            Err(failure) => {
                // No answer is pending any more, so the receipt can be handed out.
                exchange.requests.into_unrecorded().recorded();
                let receipt = exchange.trail.receipt(&*self.0.clock, None, Some(&failure));
                Err((failure, Some(receipt)))
            }
            Ok((answer, head)) => Ok(OpenExchange::new(self, exchange, head, answer.body)),
        }
    }
}
