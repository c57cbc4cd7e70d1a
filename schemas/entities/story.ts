import { defineEntity } from '../entity.ts'
import { enumeration, list, reference, string, text } from '../field/field.ts'
import { trainingFields, uploadFields } from './nluproject.ts'

/** Expected conversation: understood inputs and bot actions. */
export const story = defineEntity({
  name: 'story',
  type: 'Story',
  parent: 'nluproject',
  icon: 'GraduationCap',
  fields: {
    nluproject: reference('nluproject', { required: true, fixed: true }),
    name: string({ required: true }),
    steps: list(
      {
        kind: enumeration(['intent', 'entity', 'action'], { required: true, initial: 'intent' }),
        name: string({ required: true, max: 500 }),
        text: text({ max: 4000 }),
      },
      { itemTitle: 'name', maxItems: 500 },
    ),
    ...trainingFields,
    ...uploadFields,
  },
  unique: [{ field: 'name', within: 'nluproject' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'nluproject', as: 'reference' },
      { field: 'training_status', as: 'tags' },
    ],
    search: ['name', 'steps'],
  },
  form: [
    { id: 'general', fields: ['name'] },
    { id: 'steps', fields: ['steps'], preview: 'story-check' },
    {
      id: 'training',
      fields: [
        'training_status',
        'training_started_at',
        'training_finished_at',
        'training_error',
        'upload_status',
        'uploaded_at',
      ],
    },
  ],
  place: { menu: { group: 'build', order: 16 }, hub: { page: 'nlu', order: 20 } },
})
