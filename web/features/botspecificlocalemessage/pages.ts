import type { OwnPages } from '#web/app/own-pages.ts'

const page = async () => (await import('#web/features/message/index.ts')).MessageListPage

export const pages: OwnPages = {
  '/botspecificlocalemessage/search': page,
  '/bot/settings/botspecificlocalemessage/:bot': page,
}
