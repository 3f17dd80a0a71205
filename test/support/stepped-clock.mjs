// TEST_CLOCK_STEP=100: the clock of the tests and of the servers in their process advances in steps of so many milliseconds, so that
// what happens one after the other often has the same time. Tests must not depend on two moments being different.
const step = Number(process.env.TEST_CLOCK_STEP ?? 0);
const RealDate = globalThis.Date;
const now = () => Math.floor(RealDate.now() / step) * step;

if (step > 0 && !RealDate.isStepped) {
  globalThis.Date = class SteppedDate extends RealDate {
    static isStepped = true;
    constructor(...args) {
      super(...(args.length === 0 ? [now()] : args));
    }
    static now() {
      return now();
    }
  };
}
