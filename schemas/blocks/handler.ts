import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const handler = defineBlock({
  type: 'handler',
  category: 'integration',
  icon: 'SquareFunction',
  fields: {
    quickscript: f.switch(false),
    name: f.reference('handler'),
    handlerparameters: f.strings(),
    js: f.code({ language: 'javascript' }),
  },
})
