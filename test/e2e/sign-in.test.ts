import { generateSync } from 'otplib'
import { afterAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { startMailServer } from '#test/doubles/mail-server.ts'
import { CLIENT, startOidcProvider } from '#test/doubles/oidc/oidc-provider-server.ts'
import { closeWindows, eventually, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'
import { BUILDER, Designer, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

const STEP_MS = 30_000
const OWN_PASSWORD = `${PASSWORD}x`

inBrowser('signing in', { timeout: LONG }, async () => {
  // Another site than the console's 127.0.0.1.
  const provider = await startOidcProvider('localhost')
  const { issuer: OIDC_ISSUER } = provider
  const mail = await startMailServer()
  const { parley, admin } = await openAdmin({
    env: {
      ...{ OIDC_ISSUER, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
      ...{ MAIL_URL: mail.url, MAIL_FROM: 'Parley <parley@aurora.example>' },
      // The provider of the console is on the loopback too.
      ALLOW_PRIVATE_ADDRESSES: 'true',
    },
  })
  const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const ids: Record<string, string> = {}
  for (const username of ['ana', 'joao', 'bia', 'rui'])
    ids[username] = (await person(parley, admin, { username, level, actions: ['readbot'] })).id
  await person(parley, admin, { username: 'eva', level, actions: BUILDER })
  const page = await openWindow(await openBrowser(), parley)
  /** Opens an address as a guest whose browser knows nothing of the tests before. */
  const arrive = async (path: string): Promise<void> => {
    await page.context().clearCookies()
    if (page.url().startsWith(parley.origin))
      await page.evaluate(() => {
        localStorage.clear()
        sessionStorage.clear()
      })
    await page.goto(path)
  }
  afterAll(async () => {
    await closeWindows()
    await Promise.all([provider.close(), mail.close()])
  })

  const sendCredentials = async (username: string, password: string) => {
    await page.getByLabel('Username or e-mail').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  const typeCode = async (code: string) => {
    await page.getByRole('textbox', { name: 'Digit 1' }).click()
    await page.keyboard.type(code)
  }
  const home = () => page.getByRole('button', { name: /^Account: / }).waitFor()

  test('leads a person without a session to the sign-in, and from there to the requested page [C-2.20]', async () => {
    await arrive('/botadmin/bot/search')
    await eventually(() => page.url()).toContain('/botadmin/login?next=')
    const password = page.getByLabel('Password', { exact: true })
    await page.getByRole('button', { name: 'Show the password' }).click()
    await eventually(() => password.getAttribute('type')).toBe('text')
    await page.getByRole('button', { name: 'Hide the password' }).click()
    await eventually(() => password.getAttribute('type')).toBe('password')
    await sendCredentials('ana', OWN_PASSWORD)
    await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/botadmin/bot/search')
  })

  test('reports an ended session in the designer, and returns to the flow after sign-in', async () => {
    const { dialog } = await makeDialog(admin, CLINIC_FLOW)
    const designer = new Designer(page)
    await arrive(`/botadmin/designer/dialog/${dialog}?block=book`)
    await sendCredentials('eva', OWN_PASSWORD)
    await designer.block('book').waitFor()
    await designer.saved()
    // An answer to anything else would lead to the sign-in first.
    await page.route(/\/botadmin\/api\//u, route => route.abort())
    const { origin } = parley
    await page.context().request.post(`${origin}/botadmin/api/auth/logout`, { headers: { origin } })
    const told = page.getByRole('alert').filter({ hasText: /^Your session has ended/u })
    const way = await told.getByRole('link', { name: 'Sign in', exact: true }).getAttribute('href')
    await page.unrouteAll()
    await page.goto(way ?? '')
    await sendCredentials('eva', OWN_PASSWORD)
    await designer.inspector.getByText('· book').waitFor()
    await designer.saved()
  })

  test('an empty field is named, a wrong password counts down, and the fifth locks [C-4.09] [C-8.11] [C-8.12]', async () => {
    await arrive('/botadmin/login')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('This is required').first().waitFor()
    for (const left of [4, 3, 2, 1]) {
      await sendCredentials('joao', 'Errada-2026!')
      await page.getByText(`Invalid credentials, You have remaining ${left} attempts`).waitFor()
    }
    await sendCredentials('joao', 'Errada-2026!')
    await page.getByText(/Invalid credentials, You have remaining 0 attempts|Account is locked/).waitFor()
    await sendCredentials('joao', OWN_PASSWORD)
    await page.getByText('Account is locked, Please contact system administrator..').waitFor()
    expect((await admin.get(`/user/${ids.joao}`)).body.locked).toBe(true)
  })

  test('an authenticator is registered in three steps and asked for from then on [C-2.101] [C-4.16] [C-8.13] [P-402]', async () => {
    const { body } = await admin.get(`/user/${ids.bia}`)
    await admin.patch(`/user/${ids.bia}`, { enabletwofactor: true }, body.revision)
    await arrive('/botadmin/login')
    await sendCredentials('bia', OWN_PASSWORD)
    await page.getByRole('heading', { name: 'Two-factor sign-in' }).waitFor()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByRole('img', { name: 'Code to scan with an authenticator app' }).waitFor()
    const shown = page.getByText('Or type this key into it:').locator('xpath=following-sibling::*[1]')
    await eventually(() => shown.innerText()).toMatch(/^[A-Z2-7]{32}$/)
    const secret = await shown.innerText()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    const code = (ahead = 0) => generateSync({ secret, epoch: Math.floor((Date.now() + ahead) / 1000) })
    await typeCode(code() === '000000' ? '000001' : '000000')
    await page.getByText('Two factor authentication failed..').waitFor()
    for (let at = 0; at < 6; at++) await page.keyboard.press('Backspace')
    await typeCode(code())
    await home()

    await page.getByRole('button', { name: /^Account: / }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await sendCredentials('bia', OWN_PASSWORD)
    await page.getByRole('heading', { name: 'Security code' }).waitFor()
    // A code is good once, and the one of the next half minute is already taken.
    await typeCode(code(STEP_MS))
    await home()

    // Without the phone: one of ten codes, made beforehand.
    await visit(page, '/botadmin/account/twofactor')
    const recovery = page.getByRole('region', { name: 'Recovery codes' })
    await recovery.getByText('0 of 10 left').waitFor()
    await recovery.getByLabel('Your password', { exact: true }).fill(OWN_PASSWORD)
    await recovery.getByRole('button', { name: 'Make recovery codes' }).click()
    await recovery.getByText('10 of 10 left').waitFor()
    const kept = await recovery.getByRole('listitem').first().innerText()
    await page.getByRole('button', { name: /^Account: / }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await sendCredentials('bia', OWN_PASSWORD)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(kept.toLowerCase())
    await page.keyboard.press('Enter')
    await home()
  })

  test('requires a change of a password that an administrator reset [C-4.19] [C-5.01] [C-5.02] [C-5.04] [C-5.05] [C-8.14]', async () => {
    const reset = (await admin.post(`/user/${ids.rui}/resetpassword`)).body as unknown as { password: string }
    await arrive('/botadmin/login')
    await sendCredentials('rui', reset.password)
    await page.getByRole('heading', { name: 'Change password' }).waitFor()
    const session = await page.context().request.get(`${parley.origin}/botadmin/api/auth/user`)
    expect(session.status()).toBe(401)
    await page.getByLabel('New password', { exact: true }).fill('curta')
    const original = page.getByLabel('Original password', { exact: true })
    await original.fill('')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('This is required').first().waitFor()
    await eventually(() => original.getAttribute('aria-invalid')).toBe('true')
    await original.fill(reset.password)
    await page.getByLabel('New password again').fill('outra')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Something is still missing, see below').waitFor()
    await page.getByText('The confirmation does not match').waitFor()
    await page.getByLabel('New password', { exact: true }).fill('Nova-Senha-26')
    await page.getByLabel('New password again').fill('Nova-Senha-26')
    await page.getByRole('button', { name: 'Change password' }).click()
    await home()
    await parley.signIn('rui', 'Nova-Senha-26')
  })

  /** Requests of the page for a passkey, and whether they were aborted; `plain` in the session hides suggestions. */
  const watchPasskeys = () =>
    page.addInitScript(() => {
      if (sessionStorage.getItem('plain') !== null)
        Reflect.deleteProperty(PublicKeyCredential, 'isConditionalMediationAvailable')
      const asked: { mediation: string | undefined; signal: AbortSignal | undefined }[] = []
      Object.assign(window, { asked })
      const get = navigator.credentials.get.bind(navigator.credentials)
      navigator.credentials.get = options => {
        asked.push({ mediation: options?.mediation, signal: options?.signal })
        return get(options)
      }
    })
  const asked = () =>
    page.evaluate(() =>
      (window as unknown as { asked: { mediation?: string; signal?: AbortSignal }[] }).asked.map(
        ({ mediation = 'by hand', signal }) => `${mediation}${signal?.aborted ? ', aborted' : ''}`,
      ),
    )

  test('a passkey is added on the account page after a proof, signs in without a name, and is removed [P-2695] [P-2697]', async () => {
    // Passkeys are of localhost, never of an address.
    const at = (path: string) => `${parley.origin.replace('127.0.0.1', 'localhost')}/botadmin${path}`
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    } as const
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
    const setVerified = (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    const setPresent = (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    await watchPasskeys()
    await page.context().clearCookies()
    await page.goto(at('/login'))
    await sendCredentials('ana', OWN_PASSWORD)
    await home()
    await page.goto(at('/account/twofactor'))
    const card = page.getByRole('region', { name: 'Passkeys' })
    // As if the sign-in were older than five minutes.
    await page.route(
      '**/user/passkey/options',
      route => route.fulfill({ status: 403, json: { type: 'about:blank', code: 'auth.confirm', detail: 'Confirm' } }),
      { times: 1 },
    )
    await card.getByRole('button', { name: 'Add a passkey' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByLabel('Your password', { exact: true }).fill(OWN_PASSWORD)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    const item = card.getByRole('listitem')
    await item.getByText('never used').waitFor()
    await item.getByRole('button', { name: /^Rename: / }).click()
    await item.getByLabel('Name of the passkey').fill('Laptop of Ana')
    await page.keyboard.press('Enter')
    await item.getByText('Laptop of Ana').waitFor()

    // A browser that has no suggestions of passkeys has the button.
    await page.evaluate(() => sessionStorage.setItem('plain', ''))
    await page.context().clearCookies()
    await page.goto(at('/login'))
    // A person who does not prove to be the owner of the device stays outside.
    await setVerified(false)
    const passkey = page.getByRole('button', { name: 'Sign in with a passkey' })
    await passkey.click()
    await page.getByText('The browser used no passkey.').waitFor()
    await setVerified(true)
    expect(await asked()).toEqual(['by hand'])
    await passkey.click()
    await home()
    await page.goto(at('/account/sessions'))
    await page.getByText(/with a passkey/).waitFor()

    // Suggestions wait in the user name field until another way is chosen, and again after it failed.
    await page.evaluate(() => sessionStorage.removeItem('plain'))
    await setPresent(false)
    await page.context().clearCookies()
    await page.goto(at('/login'))
    await eventually(asked).toEqual(['conditional'])
    expect(await page.getByLabel('Username or e-mail').getAttribute('autocomplete')).toBe('username webauthn')
    await sendCredentials('ana', 'Errada-2026!')
    await page.getByText(/Invalid credentials/).waitFor()
    await eventually(asked).toEqual(['conditional, aborted', 'conditional'])
    await sendCredentials('ana', OWN_PASSWORD)
    await home()
    await eventually(asked).toEqual(['conditional, aborted', 'conditional, aborted'])
    // A chosen suggestion signs in without a name, a password or a button.
    await setPresent(true)
    await page.context().clearCookies()
    await page.goto(at('/login'))
    await home()
    await page.goto(at('/account/sessions'))
    await eventually(() => page.getByText(/with a passkey/).count()).toBe(2)

    await page.goto(at('/account/twofactor'))
    await item.getByText('last used').waitFor()
    await item.getByRole('button', { name: 'Remove: Laptop of Ana' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await card.getByText('No passkey yet').waitFor()
    await devtools.send('WebAuthn.disable')
    await devtools.detach()
  })

  const kept = (key: string) => page.evaluate(name => localStorage.getItem(name), key)

  test('a forgotten password is replaced from the sign-in page, and mails are chosen in the account [P-2786]', async () => {
    const email = 'nora@aurora.example'
    await admin.create('user', { username: 'nora', email, password: PASSWORD, language: 'en' })
    await arrive('/botadmin/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('heading', { name: 'Forgot password', level: 1 }).waitFor()
    await page.getByLabel('Username or e-mail').fill('nora')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText(/If there is an account under nora/u).waitFor()
    await eventually(() => mail.mails.length).toBe(1)
    const [link = ''] = /http\S+newpassword#\S+/u.exec(mail.mails[0]?.text ?? '') ?? []
    await page.goto(link)
    const fresh = 'Nova-Senha-2026!'
    await page.getByLabel('New password', { exact: true }).fill(fresh)
    await page.getByLabel('New password again').fill(fresh)
    expect(page.url()).toBe(`${parley.origin}/botadmin/newpassword`)
    await page.getByRole('button', { name: 'Save the new password' }).click()
    await sendCredentials('nora', fresh)
    await home()

    await page.getByRole('button', { name: /^Account: / }).click()
    await page.getByRole('menuitem', { name: 'Mail' }).click()
    await page.getByText(`Mails go to ${email}.`).waitFor()
    const week = page.getByRole('checkbox', { name: /The week of a bot/u })
    await eventually(() => week.isChecked()).toBe(true)
    await page.getByText('The week of a bot').click()
    await page.getByText('Your choice is saved').waitFor()
    await eventually(() => week.isChecked()).toBe(false)

    await arrive(link)
    await page.getByLabel('New password', { exact: true }).fill(`${fresh}2`)
    await page.getByLabel('New password again').fill(`${fresh}2`)
    await page.getByRole('button', { name: 'Save the new password' }).click()
    await page.getByText(/This link for a new password does not work any more/u).waitFor()
    await page.getByRole('link', { name: 'Ask for a new link' }).click()
    await page.getByRole('heading', { name: 'Forgot password', level: 1 }).waitFor()
  })

  test('signing out ends the session for good, and leaves nothing of what was looked at [C-7.08]', async () => {
    await arrive('/botadmin/login')
    await sendCredentials('ana', OWN_PASSWORD)
    await home()
    const before = await page.context().cookies()
    await page.evaluate(() => {
      localStorage.setItem('parley.list.bot', 'search=segredo')
      localStorage.setItem('parley.recent', '[{"id":"x","words":"segredo"}]')
    })
    await page.getByRole('button', { name: /^Account: / }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Username or e-mail').waitFor()
    expect(await Promise.all(['parley.list.bot', 'parley.recent'].map(kept))).toEqual([null, null])
    expect(await kept('parley.language')).toBe('en')
    await page.context().addCookies(before)
    await page.goto('/botadmin/bot/search')
    await eventually(() => page.url()).toContain('/login')
  })

  test('an identity provider of another site signs in, and the first page already has the session [P-2546] [P-2590]', async () => {
    const role = await admin.create('role', { name: 'Provider', actions: ['readbot', 'showbot'] })
    await admin.create('usergroup', { name: 'Provider', identifiedby: 'staff', roles: [role] })
    provider.account = 'carla'
    provider.accounts.set('carla', { preferred_username: 'carla', groups: ['staff'], locale: 'en' })
    await arrive('/botadmin/bot/search')
    const [opened] = await Promise.all([
      page.waitForRequest(request => request.isNavigationRequest() && request.url().endsWith('/botadmin/bot/search')),
      page.getByRole('link', { name: 'Sign in with localhost' }).click(),
    ])
    expect((await opened.allHeaders()).cookie).toMatch(/(?:^|; )parley=/u)
    await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor()
    const cookies = await page.context().cookies()
    expect(cookies.find(({ name }) => name === 'parley')).toMatchObject({ sameSite: 'Strict', httpOnly: true })
    // Signing out ends the session at the provider too.
    await page.getByRole('button', { name: /^Account: / }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await eventually(() => page.url()).toContain(`${provider.issuer}/session/end`)
  })

  test('explains a failed sign-in at the identity provider in plain words [P-2590]', async () => {
    provider.accounts.set('carla', { preferred_username: 'carla', groups: [] })
    await arrive('/botadmin/login')
    await page.getByRole('link', { name: 'Sign in with localhost' }).click()
    await page.getByRole('alert').getByText('None of your groups gives access here.').waitFor()
    await page.getByLabel('Username or e-mail').waitFor()
    for (const [code, words] of [
      ['auth.groups', 'You are in too many groups'],
      ['auth.level', 'Your groups lie in two branches'],
      ['auth.provider', 'The identity provider does not answer'],
      ['<b>', 'The sign-in did not work.'],
    ] as const) {
      await page.goto(`/botadmin/login?failed=${encodeURIComponent(code)}`)
      await page.getByRole('alert').getByText(words).waitFor()
    }
    // With OIDC_ONLY the password form is behind a button, unless the provider is away.
    const only = { items: [{ id: 'settings', name: 'localhost' }], only: true, origin: parley.origin, passkeys: null }
    await page.route('**/auth/oidc', route => route.fulfill({ json: only }))
    try {
      await page.goto('/botadmin/login')
      await page.getByRole('button', { name: 'Sign in with a password in an emergency' }).waitFor()
      expect(await page.getByLabel('Username or e-mail').count()).toBe(0)
      await page.goto('/botadmin/login?failed=auth.provider')
      await page.getByLabel('Username or e-mail').waitFor()
    } finally {
      await page.unroute('**/auth/oidc')
    }
  })

  test('an administrator tests a provider with their own account, and sees what came and who they would be [P-2698] [P-2958]', async () => {
    const registration = { issuer: provider.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret }
    const id = await admin.create('identityprovider', { name: 'Aurora', enable: false, ...registration })
    await admin.create('usergroup', { name: 'Testers', identifiedby: 'testers', roles: [] })
    provider.account = 'dora'
    const names = { preferred_username: 'dora', given_name: 'Dora', family_name: 'Lima', email: 'dora@aurora.example' }
    provider.accounts.set('dora', { ...names, groups: ['testers', 'board'], locale: 'en' })
    await arrive('/botadmin/login')
    await sendCredentials('admin', ADMIN_PASSWORD)
    const account = page.getByRole('button', { name: /^Account: / })
    const signedIn = await account.getAttribute('aria-label')
    await visit(page, `/botadmin/identityprovider/${id}`)
    await page.getByRole('button', { name: 'Test with my account' }).click()
    const panel = page.getByRole('complementary', { name: 'Test with your account' })
    await panel.getByText('1 of 2 groups are user groups here').waitFor()
    expect(page.url()).toBe(`${parley.origin}/botadmin/identityprovider/${id}`)
    await panel.getByText('board is “Identified by” of no user group').waitFor()
    await panel.getByText('dora, a new account').waitFor()
    await panel.getByRole('button', { name: /^See what came/ }).click()
    await panel.getByText('["testers","board"]').waitFor()
    // The person is still the administrator, and nobody was made.
    expect(await account.getAttribute('aria-label')).toBe(signedIn)
    expect((await admin.get('/user?search=dora')).body.total).toBe(0)

    provider.accounts.set('dora', { ...names, groups: ['board'] })
    await panel.getByRole('button', { name: 'Test with my account' }).click()
    await panel.getByText('You would be refused').waitFor()
    await panel.getByText('None of your groups gives access here.').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Test with my account' }).waitFor()
    expect(await panel.count()).toBe(0)
    // The addresses begin with PUBLIC_URL, at any address of the console.
    const elsewhere = { items: [], only: false, origin: 'https://console.example', passkeys: null }
    await page.route('**/auth/oidc', route => route.fulfill({ json: elsewhere }))
    await page.reload()
    for (const part of ['callback', 'logout'])
      await page.getByText(`https://console.example/botadmin/api/auth/oidc/${id}/${part}`, { exact: true }).waitFor()
    await page.unroute('**/auth/oidc')
  })

  test('the words change between English, Portuguese and Spanish at once, and stay [C-1.04]', async () => {
    await arrive('/botadmin/login')
    await page.getByRole('button', { name: 'Language: English' }).click()
    await page.getByRole('menuitemradio', { name: 'Português' }).click()
    await page.getByRole('heading', { name: 'Entrar' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Entrar' }).waitFor()
    await eventually(() => page.locator('html').getAttribute('lang')).toBe('pt')
    await page.getByRole('button', { name: /Português$/ }).click()
    await page.getByRole('menuitemradio', { name: 'Español' }).click()
    await eventually(() => page.locator('html').getAttribute('lang')).toBe('es')
    await page.getByRole('button', { name: /Español$/ }).waitFor()
  })
})
