import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { ATTACHMENT_TYPES, addressRules } from './common-fields.ts'

export const text = defineBlock({
  type: 'text',
  category: 'interaction',
  icon: 'MessageSquareText',
  words: 'text',
  fields: {
    text: f.rich({ required: true }),
    attachments: f.list(
      {
        contentType: f.enumeration(ATTACHMENT_TYPES, { initial: '', open: true }),
        contentUrl: f.string({ upload: { accept: 'file', type: 'contentType', name: 'name' } }),
        name: f.string(),
      },
      { bare: 'contentUrl' },
    ),
  },
  rules: [
    { field: 'attachments.contentUrl', check: 'required', severity: 'warning' },
    ...addressRules('attachments.contentUrl'),
  ],
})
