import { defineEntity } from '../entity.ts'
import { boolean, enumeration, image, integer, reference, string } from '../field/field.ts'

export const DESK_SOUNDS = ['off', 'unfocused', 'always'] as const

/** Profile of a user as an agent. State and load are in the log of conversations (docs/adr/0033). */
export const deskagent = defineEntity({
  name: 'deskagent',
  type: 'DeskAgent',
  parent: 'user',
  cardinality: 'one',
  icon: 'Headset',
  fields: {
    user: reference('user', { required: true, fixed: true }),
    /** The name of the user where it is empty. */
    display_name: string({ personal: true, max: 100 }),
    avatar: image(),
    capacity: integer({ min: 1, max: 20, initial: 4 }),
    /** Sound of a chat that was given, and of a message of the person. */
    sound_chat: enumeration(DESK_SOUNDS, { initial: 'always' }),
    sound_message: enumeration(DESK_SOUNDS, { initial: 'unfocused' }),
    /** A new chat sounds again every 30 s until it is opened. */
    sound_repeat: boolean({ initial: true }),
    /** The browser's notification shows what the person wrote. */
    show_words: boolean(),
    /** A device in the background counts as present for ten minutes. */
    onphone: boolean(),
  },
  title: 'display_name',
  list: {
    columns: [
      { field: 'display_name', as: 'name' },
      { field: 'capacity', as: 'number' },
    ],
    search: [],
  },
  form: [
    { id: 'general', fields: ['display_name', 'avatar', 'capacity'] },
    { id: 'alerts', fields: ['sound_chat', 'sound_message', 'sound_repeat', 'show_words', 'onphone'] },
  ],
  place: { hidden: true },
})
