export { addPasskey, askPasskey, isCancelled, offersPasskeys } from './passkey-call.ts'
export { type PasswordChange, PasswordForm } from './password-form.tsx'
export { RegisterStep } from './register-step.tsx'
export { changePassword, verify } from './sign-in-call.ts'
