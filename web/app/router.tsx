import { createBrowserRouter, type LazyRouteFunction, Outlet, type RouteObject } from 'react-router'
import { enterAddress } from '#web/i18n/i18n.ts'
import { basePath } from '#web/i18n/path-language.ts'
import { ErrorPage, RouteError } from '#web/page/error-page.tsx'
import { Shell } from '#web/shell/shell.tsx'
import { ShellSkeleton } from '#web/shell/shell-skeleton.tsx'
import { Redirect } from './redirect.tsx'
import { SessionGate } from './session-gate.tsx'

type Loader = LazyRouteFunction<RouteObject>

const page =
  <M extends Record<K, React.ComponentType>, K extends string>(load: () => Promise<M>, name: K): Loader =>
  async () => ({ Component: (await load())[name] })

const at = (path: string, lazy: Loader): RouteObject => ({ path, lazy, errorElement: <RouteError /> })

const list = page(() => import('#web/features/list/entity-list-page.tsx'), 'EntityListPage')
const form = page(() => import('#web/entity/form/entity-form-page.tsx'), 'EntityFormPage')
const bot = page(() => import('#web/features/bot/bot-page.tsx'), 'BotPage')
const user = page(() => import('#web/features/admin/user-page.tsx'), 'UserPage')
const designer = page(() => import('#web/features/task/designer-route.tsx'), 'DesignerRoute')
const task = page(() => import('#web/features/task/task-page.tsx'), 'TaskPage')

const pages: RouteObject[] = [
  at(
    '/',
    page(() => import('#web/features/home/home-page.tsx'), 'HomePage'),
  ),
  at('/bot/search', list),
  at('/bot', form),
  at('/bot/new', form),
  at('/bot/:id', bot),
  at(
    '/bot/dialogtask/:bot?',
    page(() => import('#web/features/task/task-list-page.tsx'), 'TaskListPage'),
  ),
  at(
    '/bot/settings/:word?',
    page(() => import('#web/features/bot/bot-settings.tsx'), 'BotSettings'),
  ),
  at('/bot/settings/:section/:bot', list),
  at('/bot/settings/:section/:bot/:id', form),
  at('/dialogtask/search', list),
  at('/dialogtask/new', form),
  at('/dialogtask/:id', task),
  at(
    '/version/search',
    page(() => import('#web/features/version/version-page.tsx'), 'VersionPage'),
  ),
  at(
    '/version',
    page(() => import('#web/features/version/version-page.tsx'), 'VersionPage'),
  ),
  at(
    '/version/:id',
    page(() => import('#web/features/version/version-page.tsx'), 'VersionPage'),
  ),
  at(
    '/admin',
    page(() => import('#web/features/admin/admin-page.tsx'), 'AdminPage'),
  ),
  at(
    '/appsettings/search',
    page(() => import('#web/features/admin/admin-page.tsx'), 'AppSettingsPage'),
  ),
  at('/user/search', list),
  at('/user', form),
  at('/user/new', form),
  at('/user/:id', user),
  at(
    '/role/actionandservices/:id',
    page(() => import('#web/features/admin/role-matrix-page.tsx'), 'RoleMatrixPage'),
  ),
  { path: '/role/actionandservices', element: <Redirect to="/role/search" /> },
  { path: '/designer/dialog', element: <Redirect to="/bot/dialogtask" /> },
  { path: '/designer/handler', element: <Redirect to="/bot/dialogtask" /> },
  at(
    '/hierarchy',
    page(() => import('#web/features/admin/hierarchy-page.tsx'), 'HierarchyPage'),
  ),
  at('/hierarchy/:id', form),
  at(
    '/audit',
    page(() => import('#web/features/audit/audit-page.tsx'), 'AuditPage'),
  ),
  at(
    '/password/passwordchange',
    page(() => import('#web/features/account/password-page.tsx'), 'PasswordPage'),
  ),
  at(
    '/account/twofactor',
    page(() => import('#web/features/account/two-factor-page.tsx'), 'TwoFactorPage'),
  ),
  at(
    '/account/sessions',
    page(() => import('#web/features/account/sessions-page.tsx'), 'SessionsPage'),
  ),
  // Every other declared entity: the pages find its declaration, so that the shell need not load any.
  at('/:entity/search', list),
  at('/:entity', form),
  at('/:entity/:id', form),
  { path: '/errorpages/:code', Component: ErrorPage },
  { path: '*', element: <ErrorPage /> },
]

const gated = (bare: boolean, children: RouteObject[]): RouteObject => ({
  element: (
    <SessionGate waiting={<ShellSkeleton bare={bare} />}>
      <Shell bare={bare} />
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
        at(
          '/login',
          page(() => import('#web/features/sign-in/sign-in-page.tsx'), 'SignInPage'),
        ),
        gated(true, [
          at('/designer/:kind/:id', designer),
          at(
            '/dialogtask/designer/:id?',
            page(() => import('#web/features/task/task-designer.tsx'), 'TaskDesigner'),
          ),
        ]),
        gated(false, pages),
      ],
    },
  ],
  { basename: basePath() },
)
