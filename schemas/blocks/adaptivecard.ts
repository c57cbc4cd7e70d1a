import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { promptFields } from './common-fields.ts'

export const adaptivecard = defineBlock({
  type: 'adaptivecard',
  category: 'cards',
  icon: 'LayoutTemplate',
  choiceOutputs: [{ list: 'actions' }],
  panel: 'adaptive',
  fields: { body: f.json([]), actions: f.json([]), putSubmitButton: f.switch(false), ...promptFields },
  rules: [
    { field: 'body', check: 'json', severity: 'error' },
    { field: 'actions', check: 'json', severity: 'error' },
    { field: 'body', check: 'cardparts', severity: 'error' },
    { field: 'actions', check: 'cardparts', severity: 'error' },
    { field: 'body', check: 'atLeastOne', severity: 'warning' },
  ],
})
