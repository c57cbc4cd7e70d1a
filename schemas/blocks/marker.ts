import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const marker = defineBlock({
  type: 'marker',
  category: 'flow',
  icon: 'Flag',
  fields: {
    /** A person who enters it has reached the purpose of the dialog. */
    goal: f.switch(false),
    settings: f.json({}, { plain: true }),
  },
})
