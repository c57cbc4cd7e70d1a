import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { RATING_SCALES, RATING_SUBJECTS } from '../rating.ts'

export const rating = defineBlock({
  type: 'rating',
  category: 'interaction',
  icon: 'Star',
  outputs: ['output_1', 'output_giveup'],
  words: 'text',
  fields: {
    text: f.rich(),
    scale: f.enumeration(RATING_SCALES, { initial: '5' }),
    about: f.enumeration(RATING_SUBJECTS),
    comment: f.rich(),
    varname: f.reference('variable', { tab: 'answer' }),
  },
  rules: [{ field: 'text', check: 'required', severity: 'warning' }],
})
