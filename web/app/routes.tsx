import { skipToken, useQuery } from '@tanstack/react-query'
import { Outlet, type RouteObject, useLocation } from 'react-router'
import { levelSource } from '#domain/place.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { readRow } from '#web/entity/entity-query.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'
import { ErrorPage } from '#web/page/error-page.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { useLevelOf } from '#web/shell/level.ts'
import { OWN_PAGES } from './own-pages.ts'
import { type Page, pageRoute } from './page-route.tsx'

/** Leads an old address to its page, with its query. */
const OldAddress = ({ to }: { readonly to: string }) => {
  const { search } = useLocation()
  return <Redirect to={{ pathname: to, search }} />
}

const list: Page = async () => (await import('#web/entity/list/entity-list-page.tsx')).EntityListPage
const form: Page = async () => (await import('#web/entity/form/entity-form-page.tsx')).EntityFormPage
const section: Page = async () => (await import('#web/features/section/section-page.tsx')).SectionPage
const botSettings: Page = async () => (await import('#web/features/hub/hub-page.tsx')).BotSettingsPage

const ofOneThing =
  (load: Page): Page =>
  async () => {
    const [{ withSectionRedirect }, Component] = await Promise.all([import('./section-redirect.tsx'), load()])
    return withSectionRedirect(Component)
  }

/** Pages of an entity's own, before the generated ones that they do not replace. */
const ownRoutes = (name: string, pages: Readonly<Record<string, Page>>): readonly RouteObject[] => {
  const generated = { [`/${name}/search`]: list, [`/${name}`]: form, [`/${name}/new`]: form, [`/${name}/:id`]: form }
  return Object.entries({ ...generated, ...pages }).map(([path, load]) =>
    pageRoute(path, path === `/${name}/:id` ? ofOneThing(load) : load),
  )
}

/** The routes of every entity. The pages find its declaration: the first load has none. */
const ENTITY_ROUTES: readonly RouteObject[] = [
  ...Object.entries(OWN_PAGES).flatMap(([name, pages]) => ownRoutes(name, pages)),
  pageRoute('/bot/settings/:word?', botSettings),
  pageRoute('/bot/settings/:section/:bot', section),
  pageRoute('/bot/settings/:section/:bot/:id', form),
  pageRoute('/:entity/search', list),
  pageRoute('/:entity', form),
  pageRoute('/:entity/:id', ofOneThing(form)),
  pageRoute('/:entity/:section/:id', section),
]

interface LevelProps {
  readonly entity: string
  readonly hierarchylevel: string | null
}

const EnterLevel = ({ entity, hierarchylevel }: LevelProps): null => {
  useLevelOf(entity, { hierarchylevel })
  return null
}

/**
 * Changes to the level of the thing, bot or parent that the address names. A page that lists what is in it waits for that:
 * lists show one level. The page of one thing reads the same row first.
 */
const InLevel = () => {
  const { pathname, search } = useLocation()
  const source = levelSource(ENTITY_PLACES, pathname, search)
  const { data, isPending, errorUpdateCount } = useQuery({
    queryKey: [source?.entity, 'detail', source?.id],
    queryFn: source === undefined ? skipToken : () => readRow(source.entity, source.id),
    retryOnMount: false,
  })
  // A failed reading is pending again when it is repeated: the open page stays, with what is typed on it.
  const isWaiting = source?.isOwn === false && isPending && errorUpdateCount === 0
  return (
    <>
      {source === undefined || data === undefined ? null : (
        <EnterLevel key={source.id} entity={source.entity} hierarchylevel={data.hierarchylevel} />
      )}
      {isWaiting ? <PageSkeleton /> : <Outlet />}
    </>
  )
}

const inLevel = (pages: RouteObject[]): RouteObject[] => [{ element: <InLevel />, children: pages }]

/** Pages with bar and menu. */
export const PAGES: RouteObject[] = inLevel([
  pageRoute('/admin', async () => (await import('#web/features/hub/hub-page.tsx')).AdminPage),
  pageRoute('/appsettings/search', async () => (await import('#web/features/hub/hub-page.tsx')).AppSettingsPage),
  pageRoute('/nlu/search', async () => (await import('#web/features/hub/hub-page.tsx')).NluPage),
  pageRoute('/campaignmanagement/search', async () => (await import('#web/features/hub/hub-page.tsx')).CampaignsPage),
  pageRoute(
    '/campaignmanagement/channel/apps',
    async () => (await import('#web/features/campaign/app/apps-page.tsx')).AppsPage,
  ),
  pageRoute(
    '/campaignmanagement/channel/app/:id?',
    async () => (await import('#web/features/campaign/app/app-page.tsx')).AppPage,
  ),
  pageRoute(
    '/campaignmanagement/channel/search',
    async () => (await import('#web/features/campaign/channel/channels-page.tsx')).ChannelsPage,
  ),
  pageRoute(
    '/campaignmanagement/phone/:id?',
    async () => (await import('#web/features/simulatednumber/phone-page.tsx')).PhonePage,
  ),
  pageRoute(
    '/campaignmanagement/suppression',
    async () => (await import('#web/features/suppression/suppression-page.tsx')).SuppressionPage,
  ),
  pageRoute(
    '/campaignmanagement/contact/add/:id?',
    async () => (await import('#web/features/contact/add-contact-page.tsx')).AddContactPage,
  ),
  pageRoute(
    '/campaignmanagement/contact/map/:id?',
    async () => (await import('#web/features/contact/map/map-contacts-page.tsx')).MapContactsPage,
  ),
  pageRoute(
    '/campaignmanagement/contact/:id?',
    async () => (await import('#web/features/contact/contacts-page.tsx')).ContactsPage,
  ),
  pageRoute(
    '/contactlist/add/:id?',
    async () => (await import('#web/features/contact/add-contact-page.tsx')).AddListContactPage,
  ),
  pageRoute(
    '/contactlist/map/:id?',
    async () => (await import('#web/features/contact/map/map-contacts-page.tsx')).MapListContactsPage,
  ),
  pageRoute(
    '/bot/campaign/contact/:id?',
    async () => (await import('#web/features/contact/contacts-page.tsx')).ContactAddress,
  ),
  pageRoute('/audit', async () => (await import('#web/features/audit/audit-page.tsx')).AuditPage),
  pageRoute('/audit/access', async () => (await import('#web/features/audit/access-review-page.tsx')).AccessReviewPage),
  pageRoute(
    '/password/passwordchange',
    async () => (await import('#web/features/account/password-page.tsx')).PasswordPage,
  ),
  pageRoute(
    '/account/twofactor',
    async () => (await import('#web/features/account/two-factor-page.tsx')).TwoFactorPage,
  ),
  pageRoute('/account/tokens', async () => (await import('#web/features/apitoken/access-page.tsx')).PersonalTokensPage),
  pageRoute('/account/mail', async () => (await import('#web/features/account/mail-page.tsx')).MailPage),
  pageRoute('/account/sessions', async () => (await import('#web/features/account/sessions-page.tsx')).SessionsPage),
  pageRoute('/dashboard', async () => (await import('#web/features/dashboard/dashboard-page.tsx')).DashboardPage),
  pageRoute(
    '/dashboard/example',
    async () => (await import('#web/features/dashboard/dashboard-page.tsx')).DashboardExamplePage,
  ),
  pageRoute('/desk/metrics', async () => (await import('#web/features/desk/metrics-page.tsx')).MetricsPage),
  pageRoute('/desk', async () => (await import('#web/features/desk/desk-page.tsx')).DeskPage),
  pageRoute('/reports', async () => (await import('#web/features/report/reports-page.tsx')).ReportsPage),
  { path: '/bot/reports', element: <OldAddress to="/bot/search" /> },
  pageRoute(
    '/bot/conversation/:id',
    async () => (await import('#web/features/conversation/conversations-page.tsx')).ConversationsPage,
  ),
  pageRoute('/bot/insight/:id', async () => (await import('#web/features/insight/insight-page.tsx')).InsightPage),
  pageRoute('/bot/reports/:id', async () => (await import('#web/features/report/reports-page.tsx')).BotReportsPage),
  pageRoute(
    '/tools/jsonpathonline',
    async () => (await import('#web/features/jsonpath/json-path-page.tsx')).JsonPathPage,
  ),
  pageRoute('/inspire', async () => (await import('#web/features/inspire/inspire-page.tsx')).InspirePage),
  { path: '/meta/app/search', element: <OldAddress to="/metaapp/search" /> },
  { path: '/meta/account', element: <OldAddress to="/metaaccount/search" /> },
  { path: '/designer/dialog', element: <OldAddress to="/bot/dialogtask" /> },
  { path: '/designer/handler', element: <OldAddress to="/bot/dialogtask" /> },
  { path: '/errorpages/:code', Component: ErrorPage },
  ...ENTITY_ROUTES,
  { path: '*', element: <ErrorPage /> },
])

/** Pages without bar and menu. */
export const DESIGNER_PAGES: RouteObject[] = inLevel([
  pageRoute(
    '/designer/conversation/:id',
    async () => (await import('#web/features/designer/replay-page.tsx')).ReplayPage,
  ),
  pageRoute(
    '/designer/rehearsal/:id',
    async () => (await import('#web/features/designer/rehearsal-page.tsx')).RehearsalPage,
  ),
  pageRoute(
    '/designer/:kind/:id',
    async () => (await import('#web/features/designer/designer-route.tsx')).DesignerRoute,
  ),
  pageRoute(
    '/dialogtask/designer/:id?',
    async () => (await import('#web/features/designer/task-designer.tsx')).TaskDesigner,
  ),
])
