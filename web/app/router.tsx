import { createBrowserRouter } from 'react-router'

const designer = import.meta.glob<{ DesignerPage: React.ComponentType<{ kind: 'dialog' | 'handler'; id: string }> }>(
  '../features/designer/designer-page.tsx',
)
void designer

/** Every address of the console, relative to /botadmin/. Pages are loaded when they are first opened. */
export const router = createBrowserRouter([{ path: '*', element: <p>Parley</p> }], { basename: '/botadmin' })
