import { createBrowserRouter, Outlet, type RouteObject } from 'react-router'
import { basePath } from '#web/i18n/path-language.ts'
import { ErrorPage, RouteError } from '#web/page/error-page.tsx'
import { ShellSkeleton } from '#web/shell/shell-skeleton.tsx'
import { loaded, pageRoute } from './page-route.tsx'

const OPEN_PAGES: RouteObject[] = [
  pageRoute('/login', async () => (await import('#web/features/sign-in/sign-in-page.tsx')).SignInPage),
  pageRoute('/forgot', async () => (await import('#web/features/sign-in/forgotten-password.tsx')).ForgotPage),
  pageRoute('/newpassword', async () => (await import('#web/features/sign-in/forgotten-password.tsx')).NewPasswordPage),
]
const loadHome = async () => (await import('#web/features/home/home-page.tsx')).HomePage
const HOME = pageRoute('/', loadHome)

/** Pages with their frame, whose code is fetched beside that of the first of them. `bare`: without bar and menu. */
const framed = (id: string, bare: boolean, children: RouteObject[]): RouteObject => ({
  id,
  lazy: async () => ({ Component: await loaded(async () => (await import('./frame.tsx')).Frame) }),
  handle: { bare },
  errorElement: <RouteError />,
  hydrateFallbackElement: <ShellSkeleton bare={bare} />,
  children,
})

const FRAME = 'frame'
const DESIGNER = 'designer'

const routesOf = (pages: RouteObject[], designerPages: RouteObject[]): RouteObject[] => [
  {
    element: <Outlet />,
    HydrateFallback: () => null,
    children: [...OPEN_PAGES, framed(DESIGNER, true, designerPages), framed(FRAME, false, [HOME, ...pages])],
  },
]

/** All other pages. Their addresses and those of their files are no part of the first load. */
const loadRoutes = () => import('./routes.tsx')

const isAt = (routes: readonly RouteObject[]): boolean => {
  const path = location.pathname.slice(basePath().length).replace(/\/$/u, '') || '/'
  return routes.some(route => route.path === path)
}

/** Whether the open page is one that needs no session. */
export const isOpenPage = (): boolean => isAt(OPEN_PAGES)

type Router = ReturnType<typeof createBrowserRouter>

/** A router that loads the addresses of the other pages when the user leaves the first one. */
const createFirstRouter = (): Router => {
  let isComplete = false
  let isCovered = false
  let failure: unknown
  /** Every address while there are no others. It stays: pages of the console come before it, but for their 404. */
  const Unloaded = () => {
    if (isComplete) return <ErrorPage />
    throw failure
  }
  return createBrowserRouter(routesOf([], []), {
    basename: basePath(),
    patchRoutesOnNavigation: async ({ patch, signal }) => {
      if (isComplete) return
      const routes = await loadRoutes().catch((error: unknown) => {
        failure = error
        return undefined
      })
      // An aborted navigation adds nothing.
      if (isComplete || signal.aborted) return
      if (routes === undefined) {
        if (!isCovered) patch(FRAME, [pageRoute('*', async () => Unloaded)])
        isCovered = true
        return
      }
      isComplete = true
      patch(FRAME, routes.PAGES)
      patch(DESIGNER, routes.DESIGNER_PAGES)
    },
  })
}

/** Every address of the console, relative to /botadmin/ and to the language of the open address. */
export const createRouter = async (): Promise<Router> => {
  // Most users open one of these first.
  if (isAt([HOME, ...OPEN_PAGES])) return createFirstRouter()
  const failed = (error: unknown) => ({ PAGES: [pageRoute('*', () => Promise.reject(error))], DESIGNER_PAGES: [] })
  const { PAGES, DESIGNER_PAGES } = await loadRoutes().catch(failed)
  return createBrowserRouter(routesOf(PAGES, DESIGNER_PAGES), { basename: basePath() })
}

/** Loads the addresses of all pages. The home page follows the sign-in page: its code is loaded there as well. */
export const preloadPages = (isSignIn: boolean): void => {
  Promise.all([loadRoutes(), ...(isSignIn ? [import('./frame.tsx'), loadHome()] : [])]).catch(() => {
    // The navigation that needs them reports the failure.
  })
}
