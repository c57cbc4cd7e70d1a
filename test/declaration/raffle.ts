import { defineBlock } from '#schemas/block.ts'
import { blockField as f } from '#schemas/flow/block-field.ts'

/** A block that nothing else in the project has heard of. */
export const raffle = defineBlock({
  type: 'raffle',
  category: 'interaction',
  icon: 'Dices',
  outputs: ['output_lost'],
  itemOutputs: 'prizes',
  summary: '{kind} · {question}',
  fields: {
    kind: f.enumeration(['single', 'many']),
    question: f.expression(),
    limit: f.integer(3, { when: { kind: ['many'] } }),
    prizes: f.list({ label: f.string() }),
  },
  rules: [{ field: 'question', check: 'required', severity: 'error' }],
})
