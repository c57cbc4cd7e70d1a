import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { addressRules, buttonFields, buttonRules, mediaFields } from './common-fields.ts'

export const mediacard = defineBlock({
  type: 'mediacard',
  category: 'cards',
  icon: 'Image',
  choiceOutputs: [{ list: 'buttons' }],
  panel: 'card',
  fields: {
    mediaCardType: f.enumeration(['Audio', 'Video', 'Animation'], { open: true }),
    media: f.group(mediaFields),
    buttons: f.list(buttonFields, { max: 10 }),
  },
  rules: [
    { field: 'media.uri', check: 'required', severity: 'warning' },
    ...addressRules('media.uri'),
    ...buttonRules('buttons'),
  ],
})
