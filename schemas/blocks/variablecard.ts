import { defineBlock } from '../block.ts'
import { cardFields, cardRules, promptFields } from './common-fields.ts'

export const variablecard = defineBlock({
  type: 'variablecard',
  category: 'cards',
  icon: 'PanelsTopLeft',
  choiceOutputs: [{ list: 'buttons' }],
  panel: 'card',
  fields: { ...cardFields, ...promptFields },
  rules: cardRules,
})
