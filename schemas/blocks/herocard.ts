import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { cardFields, cardRules, promptFields } from './common-fields.ts'

export const herocard = defineBlock({
  type: 'herocard',
  category: 'cards',
  icon: 'IdCard',
  choiceOutputs: [{ list: 'buttons' }],
  panel: 'card',
  fields: { heroCardType: f.enumeration(['HeroCard', 'ThumbnailCard']), ...cardFields, ...promptFields },
  rules: cardRules,
})
