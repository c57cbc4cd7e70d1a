import { defineBlock } from '../block.ts'
import { cardFields, cardRules } from './card-fields.ts'
import { promptFields } from './prompt-fields.ts'

export const variablecard = defineBlock({
  type: 'variablecard',
  category: 'cards',
  icon: 'PanelsTopLeft',
  panel: 'card',
  fields: { ...cardFields, ...promptFields },
  rules: cardRules,
})
