import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const text = defineBlock({
  type: 'text',
  category: 'interaction',
  icon: 'MessageSquareText',
  fields: {
    text: f.rich({ required: true }),
    attachments: f.list({ contentType: f.string(), contentUrl: f.string(), name: f.string() }, { bare: 'contentUrl' }),
  },
})
