import { defineBlock } from '../block.ts'
import { cardFields } from './card-fields.ts'
import { promptFields } from './prompt-fields.ts'

export const variablecard = defineBlock({
  type: 'variablecard',
  category: 'cards',
  icon: 'PanelsTopLeft',
  fields: { ...cardFields, ...promptFields },
})
