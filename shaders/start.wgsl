// Where the chains of a refit begin: at a draw of the Laplace approximation, which is a standard normal in its own units.

@compute @workgroup_size(CHAINS)
fn start(@builtin(local_invocation_index) chain: u32, @builtin(workgroup_id) group: vec3u) {
  let refit = job.firstRefit + group.x;
  let id = vec2u(records[refit * RECORD_WORDS + RECORD_ID], records[refit * RECORD_WORDS + RECORD_ID + 1u]);
  var random = philox(vec4u(0u, (STREAM_GPU << 24u) | chain, id), job.seed);
  for (var field = 0u; field < STATE_WORDS; field++) {
    states[stateAt(refit, field, chain)] = 0u;
  }
  for (var k = 0u; k < ROWS; k += 2u) {
    let pair = normalPair(&random);
    states[stateAt(refit, STATE_POSITION + k, chain)] = bitcast<u32>(pair.x);
    if (k + 1u < ROWS) {
      states[stateAt(refit, STATE_POSITION + k + 1u, chain)] = bitcast<u32>(pair.y);
    }
  }
  storeRandom(stateAt(refit, STATE_RANDOM, chain), random);
  // One stream more, of which every chain has the same copy: the lengths of the trajectories.
  storeRandom(stateAt(refit, STATE_LENGTHS, chain), philox(vec4u(0u, (STREAM_GPU << 24u) | CHAINS, id), job.seed));
  for (var word = chain; word < ADAPTED_WORDS; word += CHAINS) {
    let isStretch = word >= ADAPTED_STRETCH && word < ADAPTED_STRETCH + ROWS;
    adapted[refit * ADAPTED_WORDS + word] = select(select(0.0, FIRST_STEP, word == ADAPTED_STEP), 1.0, isStretch);
  }
}
