import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { FlowFile } from '#schemas/flow/file.ts'
import { ADMIN_PASSWORD, type Client, type Parley } from '../api/harness.ts'

const VIEW = { width: 1680, height: 1000 }

/** A flow and the task whose page leads to it. */
export interface Made {
  readonly task: string
  readonly dialog: string
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

/** A browser, a gateway, and who uses them. */
export class DesignerStage {
  readonly browser: Browser
  readonly parley: Parley
  readonly admin: Client
  readonly #session: Session

  private constructor(browser: Browser, parley: Parley, admin: Client, session: Session) {
    this.browser = browser
    this.parley = parley
    this.admin = admin
    this.#session = session
  }

  /** One sign-in for all windows: a gateway lets nobody sign in as often as a benchmark opens them. */
  static async enter(browser: Browser, parley: Parley): Promise<DesignerStage> {
    const context = await browser.newContext({ baseURL: parley.origin })
    await context.request.post('/botadmin/api/auth/login', {
      data: { username: 'admin', password: ADMIN_PASSWORD },
      headers: { origin: parley.origin },
    })
    const session = await context.storageState()
    await context.close()
    return new DesignerStage(browser, parley, await parley.signIn(), session)
  }

  async make(name: string, flow: FlowFile): Promise<Made> {
    const { admin } = this
    const { task, dialog } = await admin.createDialog({ name }, name, name)
    const { status, text } = await admin.put(`/dialog/${dialog}/flow`, flow)
    if (status !== 200) throw new Error(text)
    return { task, dialog }
  }

  /** Uses a page of a window with an empty cache, which is closed afterwards; a stranger's when it is not Parley's. */
  async inWindow<T>(act: (page: Page) => Promise<T>, options: { readonly stranger?: boolean } = {}): Promise<T> {
    const known = { baseURL: this.parley.origin, storageState: this.#session }
    const context = await this.browser.newContext({ viewport: VIEW, ...(options.stranger === true ? {} : known) })
    try {
      if (options.stranger !== true) await context.addInitScript(() => localStorage.setItem('parley.language', 'en'))
      return await act(await context.newPage())
    } finally {
      await context.close()
    }
  }

  /** The designer with a flow, once its blocks are there. */
  inDesigner<T>({ dialog }: Made, act: (page: Page) => Promise<T>): Promise<T> {
    return this.inWindow(async page => {
      await page.goto(`/botadmin/designer/dialog/${dialog}`)
      await page.locator('[data-block="n2"]').waitFor()
      return act(page)
    })
  }
}
