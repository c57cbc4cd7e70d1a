import { useTranslation } from 'react-i18next'
import { type BlockType, blocks } from '#schemas/blocks/registry.ts'
import { ENTITIES, type EntityName } from '#schemas/entities/registry.ts'
import { folded } from '#schemas/fold-text.ts'
import { useLabel } from '#web/entity/label.ts'
import { entityTopics, nameOfTopic, PAGE_TOPICS, type Topic } from './topics.ts'

export interface Article {
  readonly name: string
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly steps: readonly string[]
}

const linesOf = (text: string) => text.split('\n').filter(line => line !== '')

/**
 * Texts of a topic: written for pages, the purpose of entities, the palette's description of blocks with a hint. The
 * purpose is left out unless `isWhole`, because it loads all texts of an entity.
 */
export const useArticle = (): ((topic: Topic, isWhole?: boolean) => Article) => {
  const { t } = useTranslation(['help', 'block'], { useSuspense: false })
  const label = useLabel()
  return (topic, isWhole = true) => {
    const name = nameOfTopic(topic)
    const { kind, id } = topic
    if (kind === 'block')
      return {
        name,
        title: t(`block:type.${id}`),
        paragraphs: [`${t(`block:description.${id}`)}.`, t(`help:block.${id}`)],
        steps: [],
      }
    if (kind === 'entity')
      return { name, title: label.plural(id), paragraphs: isWhole ? linesOf(label.purpose(id) ?? '') : [], steps: [] }
    return {
      name,
      title: t(`help:topic.${id}.title`),
      paragraphs: linesOf(t(`help:topic.${id}.text`)),
      steps: linesOf(t(`help:topic.${id}.steps`, { defaultValue: '' })),
    }
  }
}

const BLOCKS = Object.keys(blocks) as readonly BlockType[]

/** Every topic, pages first. */
export const ALL_TOPICS: readonly Topic[] = [
  ...PAGE_TOPICS.map(id => ({ kind: 'page', id }) as const),
  ...BLOCKS.map(id => ({ kind: 'block', id }) as const),
  ...entityTopics(Object.keys(ENTITIES) as readonly EntityName[]).map(id => ({ kind: 'entity', id }) as const),
]

/** Articles with every word, those with all in their title first. */
export const findArticles = (articles: readonly Article[], search: string): readonly Article[] => {
  const words = folded(search.trim()).split(/\s+/u)
  const has = (text: string) => words.every(word => folded(text).includes(word))
  const titled = articles.filter(({ title }) => has(title))
  const others = articles.filter(
    article => !titled.includes(article) && has([article.title, ...article.paragraphs, ...article.steps].join(' ')),
  )
  return [...titled, ...others]
}
