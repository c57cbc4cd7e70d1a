import { defineEntity } from '../entity.ts'
import { boolean, css, palette, reference, string } from '../field/field.ts'

/** Colours and styles of a bot's web chat. */
export const theme = defineEntity({
  name: 'theme',
  type: 'Theme',
  parent: 'bot',
  icon: 'Palette',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    colors: palette(
      [
        'primary',
        'background',
        'text',
        'header_background',
        'header_text',
        'bot_message',
        'bot_text',
        'user_message',
        'user_text',
      ],
      {
        contrast: [
          ['text', 'background'],
          ['header_text', 'header_background'],
          ['bot_text', 'bot_message'],
          ['user_text', 'user_message'],
        ],
      },
    ),
    css: css(),
    default: boolean(),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'default', as: 'boolean' },
    ],
    search: ['name'],
  },
  form: [
    { id: 'general', fields: ['name', 'default'] },
    { id: 'colors', fields: ['colors'], preview: 'chat-theme' },
    { id: 'css', fields: ['css'] },
  ],
  versioned: true,
  place: { bot: { group: 'settings', order: 120 } },
})
