import type { QueryClient } from '@tanstack/react-query'

/** Removes a chat from the lists: it has left the queues of the user, or those that they may see. */
export const dropRow = (client: QueryClient, conversation: string): void => {
  client.setQueriesData<{ readonly items: readonly { readonly conversation: string }[]; readonly total: number }>(
    { queryKey: ['desk', 'list'] },
    page => {
      const items = page?.items.filter(chat => chat.conversation !== conversation) ?? []
      return page === undefined || items.length === page.items.length ? page : { ...page, items, total: page.total - 1 }
    },
  )
}
