//! The number of solutions of a board that has one: it depends on the field and the pattern, not on the moles.

use serde_json::{Value, json};

/// The properties of the system that do not depend on the moles.
pub(super) struct Algebra {
    /// Factors of the number of solutions, if there are any: the orders of independent quiet patterns.
    pub(super) orders: Vec<u8>,
}

impl Algebra {
    /// The number of solutions, if there are any.
    pub(super) fn solutions(&self) -> Value {
        let orders = &self.orders;
        let product = orders.iter().try_fold(1_u64, |product, &order| product.checked_mul(u64::from(order)));
        match product.filter(|product| *product < 1 << 53) {
            Some(product) => json!(product),
            None => {
                let mut distinct = orders.clone();
                distinct.sort_unstable();
                let powers: Vec<String> = distinct.chunk_by(|a, b| a == b).map(|same| format!("{}^{}", same[0], same.len())).collect();
                json!(powers.join(" * "))
            }
        }
    }

    /// The least number of quiet patterns that generate all; if k is not prime, those of one prime's powers can be added to those of another's.
    pub(super) fn nullity(&self) -> usize {
        let of_prime = |prime: u8| self.orders.iter().filter(|order| order.is_multiple_of(prime)).count();
        let most = self.orders.iter().copied().max().unwrap_or(0);
        (2..=most).map(of_prime).max().unwrap_or(0)
    }
}
