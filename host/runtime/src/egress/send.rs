//! Sends a request through the gate, for the whole answer or one that is read as it comes.

use gtm_domain::Failure;
use gtm_domain::receipt::Receipt;

use super::exchange::{Exchanged, HttpRequest};
use super::gate::EgressGate;
use super::grant::CallGrant;
use super::stream::OpenExchange;
use super::under_way::RequestUnderWay;

impl EgressGate {
    /// Send a request and wait for the whole answer. Any status is a success; a refusal has a receipt
    /// too, whose `decision` is the failure's code.
    pub async fn send(&self, grant: &CallGrant, request: HttpRequest) -> Exchanged {
        let mut exchange = RequestUnderWay::begin(self, grant, &request);
        let result = exchange.guarded(request, true).await;
        exchange.whole(result).await
    }

    /// Send a request and read the body as it comes. Nothing is repeated once the head is there.
    ///
    /// # Errors
    /// Why there is no answer, with the receipt that says so.
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
                // Nothing is waited for any more, so that whoever asked has the receipt.
                exchange.requests.into_untold().told();
                let receipt = exchange.trail.receipt(&*self.0.clock, None, Some(&failure));
                Err((failure, Some(receipt)))
            }
            Ok((answer, head)) => Ok(OpenExchange::new(self, exchange, head, answer.body)),
        }
    }
}
