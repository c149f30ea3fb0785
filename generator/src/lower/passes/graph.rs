//! Cycles of a directed graph.

/// Returns the sets of nodes that can reach one another (Tarjan's strongly connected components),
/// without sets of a single node that has no edge to itself. Members are in ascending order, and
/// the sets in the order of their first members.
///
/// The stack is explicit, so that long chains do not overflow the thread's stack.
pub(in crate::lower) fn components(
    count: usize,
    edges: impl Fn(usize) -> Vec<usize>,
) -> Vec<Vec<usize>> {
    let mut walk = Walk {
        index: vec![None; count],
        low: vec![0; count],
        on_stack: vec![false; count],
        ..Walk::default()
    };
    for start in 0..count {
        if walk.index[start].is_none() {
            walk.from(start, &edges);
        }
    }
    walk.found.sort_unstable();
    walk.found
}

#[derive(Default)]
struct Walk {
    /// The order in which nodes were visited.
    index: Vec<Option<usize>>,
    /// The earliest node that is reachable from each node.
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    met: usize,
    found: Vec<Vec<usize>>,
}

impl Walk {
    fn enter(&mut self, node: usize) {
        self.index[node] = Some(self.met);
        self.low[node] = self.met;
        self.met += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn from(&mut self, start: usize, edges: &impl Fn(usize) -> Vec<usize>) {
        self.enter(start);
        let mut path = vec![(start, 0_usize, edges(start))];
        while let Some((node, next, targets)) = path.last_mut() {
            let node = *node;
            if let Some(target) = targets.get(*next).copied() {
                *next += 1;
                match self.index[target] {
                    None => {
                        self.enter(target);
                        path.push((target, 0, edges(target)));
                    }
                    Some(index) if self.on_stack[target] => {
                        self.low[node] = self.low[node].min(index);
                    }
                    Some(_) => {}
                }
                continue;
            }
            let leads_to_itself = targets.contains(&node);
            path.pop();
            if let Some((parent, ..)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[node]);
            }
            if Some(self.low[node]) == self.index[node] {
                self.leave(node, leads_to_itself);
            }
        }
    }

    /// Pops the set whose first node is complete from the stack.
    fn leave(&mut self, first: usize, leads_to_itself: bool) {
        let mut members = Vec::new();
        while let Some(node) = self.stack.pop() {
            self.on_stack[node] = false;
            members.push(node);
            if node == first {
                break;
            }
        }
        if members.len() > 1 || leads_to_itself {
            members.sort_unstable();
            self.found.push(members);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::components;

    fn components_of(edges: &[&[usize]]) -> Vec<Vec<usize>> {
        components(edges.len(), |node| edges[node].to_vec())
    }

    #[test]
    fn only_nodes_that_lead_back_to_themselves_are_found() {
        assert_eq!(components_of(&[&[1], &[2], &[]]), Vec::<Vec<usize>>::new());
        assert_eq!(components_of(&[&[0], &[]]), [[0]]);
        assert_eq!(components_of(&[&[1], &[2], &[0], &[0]]), [[0, 1, 2]]);
        let two: [&[usize]; 5] = [&[4], &[2], &[1, 0], &[], &[0]];
        assert_eq!(components_of(&two), [[0, 4], [1, 2]]);
    }

    #[test]
    fn a_long_cycle_needs_no_stack() {
        let count = 100_000;
        let found = components(count, |node| vec![(node + 1) % count]);
        assert_eq!(found[0].len(), count);
    }
}
