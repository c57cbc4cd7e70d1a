import { type Client, discard, type Parley } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'
import { closeWindows, openBrowser, openWindow } from './browser.ts'
import { Designer, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

export interface Clinic {
  readonly parley: Parley
  readonly admin: Client
  readonly designer: Designer
  readonly dialog: string
  close(): Promise<void>
}

const goTo = (task: string, taskdialog: string, left: number) => ({
  type: 'gototask',
  title: 'gototask',
  top: -300,
  left,
  properties: { task, taskdialog },
})

/** The clinic's flow, with links to another task, a removed dialog and another bot. */
const drawClinic = async (admin: Client, name: string): Promise<string> => {
  const { bot, dialog } = await makeDialog(admin, CLINIC_FLOW, { bot: name, dialog: 'Principal' })
  const make = async (name: string, owner: string) => {
    const task = (await admin.post('/dialogtask', { name, bot: owner })).body.id
    return { task, dialog: (await admin.post('/dialog', { name: 'Boleto', dialogtask: task })).body.id }
  }
  const near = await make('Segunda via', bot)
  const far = await make('Outra', (await admin.post('/bot', { name: `${name}: outro robô` })).body.id)
  const old = (await admin.post('/dialog', { name: 'Boleto antigo', dialogtask: near.task })).body.id
  // Removed before the flow is drawn: a referenced one cannot be removed.
  await admin.delete(`/dialog/${old}`, { confirm: 'CONFIRM' })
  const { status, text } = await admin.put(`/dialog/${dialog}/flow`, {
    ...CLINIC_FLOW,
    operators: {
      ...CLINIC_FLOW.operators,
      near: goTo(near.task, near.dialog, -600),
      gone: goTo(near.task, old, -300),
      far: goTo(far.task, '', 0),
    },
  })
  if (status !== 200) throw new Error(text)
  return dialog
}

/** A clinic in one person's designer: in a new gateway, or in that of another clinic. */
export const openClinic = async (beside?: Clinic): Promise<Clinic> => {
  if (beside !== undefined) {
    const dialog = await drawClinic(beside.admin, 'Clínica vizinha')
    // Reloads the program: earlier tests may have changed its globals.
    await beside.designer.page.goto(`/botadmin/designer/dialog/${dialog}`)
    await beside.designer.blocks.first().waitFor()
    return { ...beside, dialog }
  }
  await using open = new AsyncDisposableStack()
  const parley = await openParley()
  open.defer(() => discard(parley))
  const admin = await parley.signIn()
  const dialog = await drawClinic(admin, 'Clínica')
  const browser = await openBrowser()
  open.defer(closeWindows)
  const page = await openWindow(browser, parley, { username: 'admin', password: 'Parley-2026!' })
  const designer = await new Designer(page).open(dialog)
  const held = open.move()
  return { parley, admin, designer, dialog, close: () => held.disposeAsync() }
}
