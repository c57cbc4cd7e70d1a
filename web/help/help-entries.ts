import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { CircleQuestionMark, Keyboard } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { folded } from '#schemas/fold-text.ts'
import type { Entry } from '#web/shell/recent-entry.ts'
import { ALL_TOPICS, findArticles, useArticle } from './help-article.ts'
import { help } from './help-state.ts'

/** Help for the command palette: articles with these words, and the sheet of keys. Empty until its texts are there. */
export const useHelpEntries = (): ((wanted: string) => readonly Entry[]) => {
  const { t, i18n } = useTranslation('shell')
  const { data: isReady = false } = useQuery({
    queryKey: ['help', i18n.language],
    queryFn: async () => {
      await i18next.loadNamespaces(['help', 'block'])
      return true
    },
    staleTime: Infinity,
  })
  const articleOf = useArticle()
  return wanted => {
    if (!isReady) return []
    const keys: Entry = {
      id: 'help-keys',
      group: 'help',
      icon: Keyboard,
      words: t('help.keys'),
      run: help.openKeys,
    }
    const articles = findArticles(
      ALL_TOPICS.map(topic => articleOf(topic, false)),
      wanted,
    )
    return [
      ...articles.map(
        ({ name, title, paragraphs }): Entry => ({
          id: `help-${name}`,
          group: 'help',
          icon: CircleQuestionMark,
          words: title,
          beside: paragraphs[0] ?? '',
          run: () => help.open(name),
        }),
      ),
      ...(folded(keys.words).includes(wanted) ? [keys] : []),
    ]
  }
}
