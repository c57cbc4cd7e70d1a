import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const transformdata = defineBlock({
  type: 'transformdata',
  category: 'datamanagement',
  icon: 'Shuffle',
  panel: 'transform',
  summary: '{resultVariable} = {rule}',
  fields: {
    input: f.expression(),
    rule: f.code({ language: 'rule' }),
    resultVariable: f.reference('variable'),
  },
})
