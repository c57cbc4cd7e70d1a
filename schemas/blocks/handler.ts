import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const handler = defineBlock({
  type: 'handler',
  category: 'integration',
  icon: 'SquareFunction',
  panel: 'script',
  fields: {
    quickscript: f.switch(false),
    name: f.reference('handler', { when: { quickscript: [false] } }),
    handlerparameters: f.strings({ variables: true }),
    js: f.code({ language: 'javascript' }),
    resultVariable: f.reference('variable'),
    errorVariable: f.reference('variable'),
  },
  rules: [
    { field: 'name', check: 'required', severity: 'warning', when: { quickscript: [false], js: [''] } },
    { field: 'js', check: 'required', severity: 'warning', when: { quickscript: [true] } },
  ],
})
