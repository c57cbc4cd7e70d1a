import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { cardFields, cardRules } from './card-fields.ts'
import { promptFields } from './prompt-fields.ts'

export const herocard = defineBlock({
  type: 'herocard',
  category: 'cards',
  icon: 'IdCard',
  panel: 'card',
  fields: { heroCardType: f.enumeration(['HeroCard', 'ThumbnailCard']), ...cardFields, ...promptFields },
  rules: cardRules,
})
