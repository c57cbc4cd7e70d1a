import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocks } from '#schemas/blocks/registry.ts'
import { ENTITIES, type EntityName } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { LANGUAGES } from '#schemas/language.ts'
import { NEWS } from './news.ts'
import { PAGE_TOPICS, readTopic, relatedTopics, topicAt } from './topics.ts'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const textsOf = (language: string, name: string) => JSON.parse(read(`schemas/locales/${language}/${name}.json`))

/** Addresses of the router that show a page in the frame, with a word for each parameter. */
const addresses = (): readonly string[] => {
  const router = [...`${read('web/app/router.tsx')}${read('web/app/routes.tsx')}`.matchAll(/pageRoute\(\s*'([^']+)'/gu)]
  const own = [...read('web/app/own-pages.ts').matchAll(/^ {4}'([^']+)': async/gmu)]
  const given = [...router, ...own]
    .map(([, path = '']) => path)
    .filter(path => !['/login', '/forgot', '/newpassword', '*'].includes(path))
  const [fixed, any] = [given.filter(path => !path.startsWith('/:entity')), given.length]
  expect(any - fixed.length).toBe(4)
  const ofEntities = Object.keys(ENTITIES).flatMap(name => [`/${name}/search`, `/${name}`, `/${name}/:id`])
  const inBots = Object.values<EntityDeclaration>(ENTITIES).flatMap(({ name, place }) =>
    place?.bot === undefined ? [] : [`/bot/settings/${name}/:bot`],
  )
  return [...fixed, ...ofEntities, ...inBots].map(path =>
    path.replaceAll(/:section\b/gu, 'variable').replaceAll(/:\w+\??/gu, 'x1'),
  )
}

test('each page of the console has a help topic [P-2851]', () => {
  const all = addresses()
  expect(all.length).toBeGreaterThan(200)
  expect(all.filter(path => topicAt(path) === undefined)).toEqual([])
  expect(topicAt('/')).toMatchObject({ id: 'start' })
  expect(topicAt('/bot/b1')).toMatchObject({ id: 'bot' })
  expect(topicAt('/bot/settings/synonym/b1')).toEqual({ kind: 'entity', id: 'synonym' })
  expect(topicAt('/designer/dialog/d1')).toMatchObject({ id: 'designer' })
})

test('help has a text for each topic, entity and block in each language [P-2852]', () => {
  for (const language of LANGUAGES) {
    const { topic, block, item } = textsOf(language, 'help')
    expect(Object.keys(topic).sort()).toEqual([...PAGE_TOPICS].sort())
    for (const id of PAGE_TOPICS) {
      expect(topic[id].title, id).toMatch(/\S/u)
      expect(topic[id].text.split(/\n|(?<=\.) /u).length, `${language} ${id}`).toBeGreaterThan(1)
    }
    const words = textsOf(language, 'block')
    expect(Object.keys(block).sort()).toEqual(Object.keys(blocks).sort())
    for (const type of Object.keys(blocks)) {
      expect(words[`description.${type}`], type).toMatch(/\S/u)
      expect(block[type], type).toMatch(/\.$/u)
    }
    for (const name of Object.keys(ENTITIES) as EntityName[])
      if (readTopic(`entity:${name}`)?.kind === 'entity')
        expect(textsOf(language, `entity/${name}`).purpose, name).toMatch(/\S/u)
    expect(Object.keys(item).sort()).toEqual(NEWS.map(({ id }) => id).sort())
  }
})

test('links of help lead to topics', () => {
  for (const { topic } of NEWS) expect(readTopic(topic), topic).toBeDefined()
  for (const id of PAGE_TOPICS)
    for (const related of relatedTopics({ kind: 'page', id })) expect(readTopic(related), related).toBeDefined()
  expect(NEWS.map(({ day }) => day)).toEqual(
    NEWS.map(({ day }) => day)
      .toSorted()
      .reverse(),
  )
})
