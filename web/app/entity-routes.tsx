import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { RouteError } from '#web/page/error-page.tsx'
import type { OwnPages } from './own-pages.ts'

type Page = () => Promise<ComponentType>

const OWN_PAGES = import.meta.glob<OwnPages>('../features/*/pages.ts', { eager: true, import: 'pages' })

const list: Page = async () => (await import('#web/entity/list/entity-list-page.tsx')).EntityListPage
const form: Page = async () => (await import('#web/entity/form/entity-form-page.tsx')).EntityFormPage
const section: Page = async () => (await import('#web/features/section/section-page.tsx')).SectionPage
const botSettings: Page = async () => (await import('#web/features/hub/bot-settings-page.tsx')).BotSettingsPage

const ofOneThing =
  (load: Page): Page =>
  async () => {
    const [{ withSectionRedirect }, Component] = await Promise.all([import('./section-redirect.tsx'), load()])
    return withSectionRedirect(Component)
  }

/**
 * Returns the page, or a page that throws the load error: when `lazy` itself rejects, React Router 7.18 renders the
 * fallback of a parent route instead of the error element.
 */
const loaded = async (load: Page): Promise<ComponentType> => {
  try {
    return await load()
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** A page that is loaded when it is first opened. */
export const pageRoute = (path: string, load: Page): RouteObject => ({
  path,
  lazy: async () => ({ Component: await loaded(load) }),
  errorElement: <RouteError />,
})

/** Pages of an entity's own, before the generated ones that they do not replace. */
const ownRoutes = (file: string, pages: OwnPages): readonly RouteObject[] => {
  const [, name = ''] = /features\/(\w+)\//u.exec(file) ?? []
  const generated = { [`/${name}/search`]: list, [`/${name}`]: form, [`/${name}/new`]: form, [`/${name}/:id`]: form }
  return Object.entries({ ...generated, ...pages }).map(([path, load]) =>
    pageRoute(path, path === `/${name}/:id` ? ofOneThing(load) : load),
  )
}

/** The routes of every entity. The pages find its declaration: the first load has none. */
export const ENTITY_ROUTES: readonly RouteObject[] = [
  ...Object.entries(OWN_PAGES).flatMap(([file, pages]) => ownRoutes(file, pages)),
  pageRoute('/bot/settings/:word?', botSettings),
  pageRoute('/bot/settings/:section/:bot', section),
  pageRoute('/bot/settings/:section/:bot/:id', form),
  pageRoute('/:entity/search', list),
  pageRoute('/:entity', form),
  pageRoute('/:entity/:id', ofOneThing(form)),
  pageRoute('/:entity/:section/:id', section),
]
