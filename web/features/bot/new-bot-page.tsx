import { EntityFormPage } from '#web/entity/form/entity-form-page.tsx'
import { BotTemplates } from './bot-templates.tsx'

/** /bot/new: begins from a whole bot, or from nothing. */
export const NewBotPage = () => <EntityFormPage above={<BotTemplates />} />
