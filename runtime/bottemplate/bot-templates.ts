import type { BotTemplate } from './bot-template.ts'
import { appointment, event, lead, realestate, restaurant } from './content/form.ts'
import { hr, survey } from './content/people.ts'
import { faq, order, ticket } from './content/service.ts'

/** Whole bots to begin from, in the order in which they are offered. */
export const BOT_TEMPLATES: readonly BotTemplate[] = [
  ...[faq, order, ticket, appointment, lead, survey, hr, restaurant, event, realestate],
]
