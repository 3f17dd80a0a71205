// The clock of a process stands an hour back after SIGUSR2.
const RealDate = globalThis.Date;
let offset = 0;
process.on('SIGUSR2', () => {
  offset = -3_600_000;
});
const now = () => RealDate.now() + offset;

globalThis.Date = class MovableDate extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args));
  }
  static now() {
    return now();
  }
};
