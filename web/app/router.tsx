import { createBrowserRouter, Outlet, type RouteObject } from 'react-router'
import { enterAddress } from '#web/i18n/i18n.ts'
import { basePath } from '#web/i18n/path-language.ts'
import { ErrorPage, RouteError } from '#web/page/error-page.tsx'
import { Shell } from '#web/shell/shell.tsx'
import { ShellSkeleton } from '#web/shell/shell-skeleton.tsx'
import { ENTITY_ROUTES, pageRoute } from './entity-routes.tsx'
import { PreloadDesigner } from './preload-designer.ts'
import { Redirect } from './redirect.tsx'
import { SessionGate } from './session-gate.tsx'
import { UntestedHost } from './untested-host.tsx'

const pages: RouteObject[] = [
  pageRoute('/', async () => (await import('#web/features/home/home-page.tsx')).HomePage),
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
    '/bot/campaign/contact/:id?',
    async () => (await import('#web/features/contact/contact-address.tsx')).ContactAddress,
  ),
  pageRoute('/audit', async () => (await import('#web/features/audit/audit-page.tsx')).AuditPage),
  pageRoute(
    '/password/passwordchange',
    async () => (await import('#web/features/account/password-page.tsx')).PasswordPage,
  ),
  pageRoute(
    '/account/twofactor',
    async () => (await import('#web/features/account/two-factor-page.tsx')).TwoFactorPage,
  ),
  pageRoute('/account/sessions', async () => (await import('#web/features/account/sessions-page.tsx')).SessionsPage),
  pageRoute('/dashboard', async () => (await import('#web/features/dashboard/dashboard-page.tsx')).DashboardPage),
  pageRoute(
    '/dashboard/example',
    async () => (await import('#web/features/dashboard/dashboard-page.tsx')).DashboardExamplePage,
  ),
  pageRoute('/reports', async () => (await import('#web/features/report/reports-page.tsx')).ReportsPage),
  { path: '/bot/reports', element: <Redirect to="/bot/search" /> },
  pageRoute(
    '/bot/conversation/:id',
    async () => (await import('#web/features/conversation/conversations-page.tsx')).ConversationsPage,
  ),
  pageRoute('/bot/reports/:id', async () => (await import('#web/features/report/reports-page.tsx')).BotReportsPage),
  pageRoute(
    '/tools/jsonpathonline',
    async () => (await import('#web/features/jsonpath/json-path-page.tsx')).JsonPathPage,
  ),
  pageRoute('/inspire', async () => (await import('#web/features/inspire/inspire-page.tsx')).InspirePage),
  { path: '/meta/app/search', element: <Redirect to="/metaapp/search" /> },
  { path: '/meta/account', element: <Redirect to="/metaaccount/search" /> },
  { path: '/designer/dialog', element: <Redirect to="/bot/dialogtask" /> },
  { path: '/designer/handler', element: <Redirect to="/bot/dialogtask" /> },
  { path: '/errorpages/:code', Component: ErrorPage },
  ...ENTITY_ROUTES,
  { path: '*', element: <ErrorPage /> },
]

const designerPages: RouteObject[] = [
  pageRoute(
    '/designer/conversation/:id',
    async () => (await import('#web/features/designer/replay-page.tsx')).ReplayPage,
  ),
  pageRoute(
    '/designer/:kind/:id',
    async () => (await import('#web/features/designer/designer-route.tsx')).DesignerRoute,
  ),
  pageRoute(
    '/dialogtask/designer/:id?',
    async () => (await import('#web/features/designer/task-designer.tsx')).TaskDesigner,
  ),
]

const gated = (bare: boolean, children: RouteObject[]): RouteObject => ({
  element: (
    <SessionGate waiting={<ShellSkeleton bare={bare} />}>
      {bare ? null : <PreloadDesigner />}
      <Shell bare={bare} />
      <UntestedHost />
    </SessionGate>
  ),
  errorElement: <RouteError />,
  hydrateFallbackElement: <ShellSkeleton bare={bare} />,
  children,
})

enterAddress()

/** Every address of the console, relative to /botadmin/ and to the language of the open address. Pages are loaded when they are first opened. */
export const router = createBrowserRouter(
  [
    {
      element: <Outlet />,
      HydrateFallback: () => null,
      children: [
        pageRoute('/login', async () => (await import('#web/features/sign-in/sign-in-page.tsx')).SignInPage),
        gated(true, designerPages),
        gated(false, pages),
      ],
    },
  ],
  { basename: basePath() },
)
